import * as z from 'zod/mini';
import { bankAccount } from '../../domain/payments/debit.ts';
import { isoTime } from '../../domain/time.ts';
import { sessionNotFound } from '../sessions/session.ts';
import { takesNothing } from '../route.ts';
import { deliverySummary } from './delivery.ts';
import { memberProblems, ofPractice, type MemberRoute } from './dashboard-route.ts';
import { memberSession, sessionParams } from './session.ts';

const sessionDetail = z.object({
  session: memberSession,
  /** The session that is paying, or has paid, the invoice instead. */
  blockingSessionId: z.optional(z.string()),
  /** How many bank sign-ins the patient has left with this link. */
  bankConnectionAttemptsRemaining: z.int(),
  /** When the last new link was made. */
  linkReplacedAt: z.optional(isoTime),
  /** How often the patient got more time. `extendedAt` is the last time. */
  extensions: z.optional(z.int()),
  extendedAt: z.optional(isoTime),
  bankConnectedAt: z.optional(isoTime),
  bankAccount: z.optional(bankAccount),
  /** Present while we wait for the bank to say whether the debit can still be stopped. */
  cancelRequestedAt: z.optional(isoTime),
  /** In the order they happened. */
  events: z.array(
    z.object({
      eventId: z.string(),
      type: z.string(),
      createdAt: isoTime,
      /** The webhook's body, byte for byte. */
      body: z.string(),
      /** True until the event is dispatched and, if it has a single delivery, until that delivery's first attempt. */
      isSending: z.boolean(),
      deliveries: z.array(deliverySummary),
    }),
  ),
});
export type SessionDetail = z.infer<typeof sessionDetail>;

export const getSessionRoute = {
  ...takesNothing,
  method: 'GET',
  path: `${ofPractice}/sessions/{sessionId}`,
  access: { role: 'viewer' },
  summary: 'Show a session',
  description: 'With its events and their deliveries.',
  params: sessionParams,
  status: 200,
  response: sessionDetail,
  problems: { ...memberProblems, ...sessionNotFound },
} as const satisfies MemberRoute;
