import { practiceRoutes } from '../contract/practice-routes.ts';
import { withExpiry } from '../domain/session.ts';
import { mode, sandboxOutcomeDelay, tableNames } from '../environment.ts';
import { practiceRoute, requireOwnSession } from '../http/practice-route.ts';
import { cancelPayment } from '../payments/cancel.ts';
import { sandboxVoider } from '../processors/sandbox.ts';
import { noProcessor } from '../processors/unavailable.ts';
import { connect } from '../store/database.ts';
import { unreachable } from '../domain/fault.ts';
import { Problem } from '../contract/problems.ts';

const database = connect(tableNames('apiKeys', 'sessions', 'events', 'invoiceClaims', 'sandboxDebits'));
const stageMode = mode();
const tools = {
  database,
  processor: stageMode === 'sandbox' ? sandboxVoider(database, sandboxOutcomeDelay()) : noProcessor,
};

/** Cancels a session that is pending, or whose debit the bank does not have yet. */
export const handler = practiceRoute(
  database,
  stageMode,
  practiceRoutes.cancelSession,
  async ({ practiceId }, { request, now }) => {
    const session = await requireOwnSession(database, practiceId, request);
    const cancellation = await cancelPayment(withExpiry(session, now), tools, now);
    switch (cancellation.result) {
      case 'cancelled':
        return {
          body: { sessionId: session.sessionId, status: 'cancelled' as const, cancelledAt: cancellation.cancelledAt },
        };
      case 'closed':
        throw new Problem('session_not_cancellable', 'Only a pending or processing session can be cancelled.', {
          extra: { sessionStatus: cancellation.session.status },
        });
      case 'too_late':
        throw new Problem('payment_not_voidable', 'The bank already has the debit. Refund it once it has succeeded.');
      case 'pending':
        throw new Problem(
          'cancellation_pending',
          'The bank has not answered yet. A webhook will tell the outcome; or ask again later.',
          { headers: { 'retry-after': '30' } },
        );
      default:
        return unreachable(cancellation);
    }
  },
);
