import type { SessionBlock } from './session-block.ts';
import { withExpiry, type Session } from './session.ts';

export function sessionStatus(session: Session, blockedBy: SessionBlock | undefined, now: number) {
  const current = withExpiry(session, now);
  return {
    sessionId: current.sessionId,
    invoiceId: current.invoiceId,
    status: current.status,
    amountCents: current.amountCents,
    createdAt: current.createdAt,
    metadata: current.metadata,
    expiresAt: current.expiresAt,
    openedAt: current.openedAt,
    blockedBy: current.status === 'pending' ? blockedBy : undefined,
    processingAt: current.processingAt,
    settledAt: current.settledAt,
    failedAt: current.failedAt,
    failure: current.failure,
    cancelledAt: current.cancelledAt,
    cancellation: current.cancellation,
    return: current.return,
    refund: current.refund,
    scrubbedAt: current.scrubbedAt,
  };
}
