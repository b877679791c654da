import * as z from 'zod/mini';
import { takesNothing, type Route } from '../route.ts';
import { linkProblems, patientHeaders, payingProblems } from '../patient-route.ts';

const startedBankConnection = z.object({
  publishableKey: z.string(),
  account: z.optional(z.string()),
  clientSecret: z.string(),
});
export type StartedBankConnection = z.infer<typeof startedBankConnection>;

/** Production only. */
export const startBankConnectionRoute = {
  ...takesNothing,
  headers: patientHeaders,
  method: 'POST',
  path: '/api/patient/session/bank-connection/start',
  summary: "Start the processor's bank picker",
  description:
    'Returns what the picker needs in the browser. No payment can be made with it. Also counts as the first open.',
  status: 200,
  response: startedBankConnection,
  problems: {
    ...linkProblems,
    ...payingProblems,
    bank_connection_locked: { status: 423, title: 'There were too many sign-in attempts.' },
    bank_unavailable: { status: 503, title: 'The bank is unavailable.' },
  },
} as const satisfies Route;
