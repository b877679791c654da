import * as z from 'zod/mini';
import type { PatientProblemCode } from '../problems.ts';
import { takesNothing, type Route } from '../route.ts';
import { sessionView } from './session-view.ts';

export const patientHeaders = z.object({
  'accept-language': z.optional(z.string()),
  /** Set by CloudFront from the viewer's address; a caller that reaches the API directly can forge it. */
  'x-viewer-address': z.optional(z.string()),
});

export type PatientRoute = Route & { readonly problems: readonly PatientProblemCode[] };

/** Every route returns the view, in the patient's language. */
export const returnsView = {
  ...takesNothing,
  headers: patientHeaders,
  status: 200,
  response: sessionView,
} as const;

export const linkProblems = ['link_not_found', 'internal_error'] as const;
