import type { ProblemCode } from '../../functions/contract/problems.ts';
import type { practiceRoutes } from '../../functions/contract/practice-routes.ts';

export interface Operation {
  readonly summary: string;
  readonly description: string;
  /** Whether the `Idempotency-Key` header is read. */
  readonly idempotent: boolean;
  readonly problems: readonly ProblemCode[];
}

const ofEveryRoute = [
  'api_key_missing',
  'api_key_invalid',
  'api_key_expired',
  'api_key_revoked',
  'api_key_wrong_mode',
  'scope_missing',
  'internal_error',
] as const;

/** What each route of the practice API says about itself, and every problem that it answers with. */
export const operations: Record<keyof typeof practiceRoutes, Operation> = {
  createSession: {
    summary: 'Create a session',
    description:
      'Creates a session for one patient and one invoice, and answers with the link that you send to the patient. ' +
      'Send an `Idempotency-Key` to be able to repeat the request safely: for 24 hours the same key and body replay the first answer, and concurrent twins make one session. ' +
      'A refused request leaves the key unused. One invoice may have several sessions.',
    idempotent: true,
    problems: [
      ...ofEveryRoute,
      'invalid_json',
      'invalid_request',
      'body_too_large',
      'unsupported_media_type',
      'idempotency_key_reused',
    ],
  },
  getSessionStatus: {
    summary: "Get a session's status",
    description:
      'Strongly consistent: it tells every change that was made before the request, expiry included. ' +
      "Meant for reconciliation; webhooks tell an outcome first. Another practice's session is as if it did not exist.",
    idempotent: false,
    problems: [...ofEveryRoute, 'session_not_found'],
  },
  listSessions: {
    summary: 'List sessions',
    description:
      'Newest first, a page at a time; each item is what the status of its session tells. ' +
      'Eventually consistent: a change may take a moment to show. An expired session leaves `pending` at once and may join `cancelled` a minute late.',
    idempotent: false,
    problems: [...ofEveryRoute, 'invalid_request', 'invalid_cursor'],
  },
  cancelSession: {
    summary: 'Cancel a session',
    description:
      'Takes no body. Ends a session that is `pending`, or `processing` as long as the bank can still give the debit back. It is not a refund. ' +
      'Strongly consistent. Where the bank has not answered, the answer is `cancellation_pending`: the service goes on asking it, and a webhook tells the outcome.',
    idempotent: false,
    problems: [
      ...ofEveryRoute,
      'session_not_found',
      'session_not_cancellable',
      'payment_not_voidable',
      'cancellation_pending',
    ],
  },
};
