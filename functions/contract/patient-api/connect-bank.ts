import * as z from 'zod/mini';
import { sandboxBanks } from '../../domain/sandbox-bank.ts';
import { bodyProblems } from '../problems.ts';
import type { Route } from '../route.ts';
import { linkNotFound, pendingProblems, returnsView } from './patient-route.ts';

const testSignIn = z.strictObject({
  /** Sandbox Bank if absent. */
  bank: z.optional(z.enum(sandboxBanks)),
  username: z.string().check(z.minLength(1), z.maxLength(100)),
  password: z.string().check(z.minLength(1), z.maxLength(200)),
});
/** For the sandbox only, and never stored or logged. */
export type TestSignIn = z.infer<typeof testSignIn>;

export const connectBankRoute = {
  ...returnsView,
  method: 'POST',
  path: '/api/patient/session/bank-connection',
  summary: 'Connect a bank',
  description:
    'Signs in to a bank, stores the account and returns the authorization text. Also counts as the first open.',
  body: testSignIn,
  problems: {
    ...linkNotFound,
    ...bodyProblems,
    ...pendingProblems,
    bank_connection_failed: { status: 422, title: 'The bank rejected the sign-in.' },
    bank_connection_locked: { status: 423, title: 'There were too many sign-in attempts.' },
    bank_unavailable: { status: 503, title: 'The bank is unavailable.' },
  },
} as const satisfies Route;
