import * as z from 'zod/mini';
import { linkProblems, patientHeaders } from '../patient-route.ts';
import { bodyProblems } from '../problems.ts';
import { takesNothing, type Route } from '../route.ts';
import { authorizationNotFound } from './get-authorization.ts';

/** Only in a stack with `mailFrom`. */
export const mailCopyRoute = {
  ...takesNothing,
  headers: patientHeaders,
  method: 'POST',
  path: '/api/patient/session/copy',
  summary: 'Mail a copy of the authorization',
  description: 'Once per session. The address is used for this mail and kept nowhere.',
  body: z.strictObject({ email: z.email().check(z.maxLength(254)) }),
  status: 200,
  response: z.object({}),
  problems: {
    ...linkProblems,
    ...bodyProblems,
    ...authorizationNotFound,
    copy_already_mailed: { status: 409, title: 'A copy was mailed before, or may have been.' },
    copy_not_mailed: { status: 503, title: 'The copy was not mailed.' },
  },
} as const satisfies Route;
