import * as z from 'zod/mini';
import { practiceSuspended, type Problems } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { sessionView } from './session-view.ts';

export const patientHeaders = z.object({
  'accept-language': z.optional(z.string()),
  /** Set by CloudFront; a caller that bypasses it can forge it. */
  'x-viewer-address': z.optional(z.string()),
});

export const returnsView = {
  ...takesNothing,
  headers: patientHeaders,
  status: 200,
  response: sessionView,
} as const;

export const linkNotFound = {
  link_not_found: { status: 404, title: 'The link was not found.' },
} as const satisfies Problems;

/** Of paying. */
export const pendingProblems = {
  ...practiceSuspended,
  session_closed: { status: 409, title: 'The session is no longer pending.' },
  session_expired: { status: 409, title: 'The session has expired.' },
} as const satisfies Problems;
