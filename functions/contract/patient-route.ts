import * as z from 'zod/mini';
import { wrongHost } from './origin-secret.ts';
import { practiceSuspended, type Problems } from './problems.ts';
import { takesNothing, type Route } from './route.ts';
import { sessionView } from './sessions/session-view.ts';

export const patientHeaders = z.object({
  'accept-language': z.optional(z.string()),
  /** Set by the distribution. A request that bypasses the distribution is refused. */
  'x-viewer-address': z.optional(z.string()),
});

/** What a patient's route has, unless it says otherwise. */
export function throughLink(method: Route['method'], path = '') {
  return {
    ...takesNothing,
    method,
    path: `/api/patient/session${path}`,
    headers: patientHeaders,
    status: 200,
  } as const;
}

export function returnsView(...route: Parameters<typeof throughLink>) {
  return { ...throughLink(...route), response: sessionView } as const;
}

export const linkProblems = {
  ...wrongHost,
  link_not_found: { status: 404, title: 'The link was not found.' },
} as const satisfies Problems;

export const pendingProblems = {
  session_closed: { status: 409, title: 'The session is no longer pending.' },
  session_expired: { status: 409, title: 'The session has expired.' },
} as const satisfies Problems;

export const bankNotConnected = {
  bank_not_connected: { status: 409, title: 'No bank account is connected.' },
} as const satisfies Problems;

export const payingProblems = { ...practiceSuspended, ...pendingProblems } as const satisfies Problems;
