import * as z from 'zod/mini';
import { bodyProblems } from '../route.ts';
import { linkProblems, returnsView, type PatientRoute } from './patient-route.ts';

export const connectBankRoute = {
  ...returnsView,
  method: 'POST',
  path: '/api/patient/session/bank-connection',
  summary: 'Connect a bank',
  description:
    'Signs in to a bank, stores the account and returns the authorization text. Also counts as the first open.',
  body: z.strictObject({
    username: z.string().check(z.minLength(1), z.maxLength(100)),
    password: z.string().check(z.minLength(1), z.maxLength(200)),
  }),
  problems: [
    ...linkProblems,
    ...bodyProblems,
    'session_closed',
    'session_expired',
    'bank_connection_failed',
    'bank_connection_locked',
    'bank_unavailable',
  ],
} as const satisfies PatientRoute;
