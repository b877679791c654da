import { settlementTicket } from '../contract/tickets.ts';
import type { DebitState } from '../domain/sandbox-bank.ts';
import type { Session } from '../domain/session.ts';
import { mode, queueUrl, sandboxOutcomeDelay, tableNames } from '../environment.ts';
import { logger } from '../log.ts';
import { ticketSender } from '../messages/queues.ts';
import { ticketHandler } from '../messages/ticket-handler.ts';
import { sandboxProcessor } from '../processors/sandbox.ts';
import { noProcessor } from '../processors/unavailable.ts';
import { connect } from '../store/database.ts';
import { requireSession } from '../store/sessions.ts';
import { failSession, returnDebit, settleSession } from '../store/transitions.ts';

const database = connect(tableNames('sessions', 'events', 'invoiceClaims', 'sandboxDebits'));
const processor = mode() === 'sandbox' ? sandboxProcessor(database, ticketSender(queueUrl('settlements')), sandboxOutcomeDelay()) : noProcessor;

/** Asks the processor what became of a debit and writes it to the session. It may come before submit's own write. */
export const handler = ticketHandler(settlementTicket, async ({ sessionId }) => {
  const now = Date.now();
  const debit = await processor.findDebit(sessionId, now);
  if (!debit) return;
  await apply(await requireSession(database, sessionId), debit.state, now);
  logger.info('debit outcome', { sessionId, state: debit.state.state });
  await processor.acknowledge(sessionId, now);
});

/** Writes an outcome where it is news: a terminal session never changes, but that a settled debit may be returned. */
async function apply(session: Session, outcome: DebitState, now: number): Promise<void> {
  switch (outcome.state) {
    case 'pending':
      return;
    case 'failed':
      if (session.status === 'processing') await failSession(database, session, outcome.failure, now);
      return;
    case 'succeeded':
      if (session.status === 'processing') await settleSession(database, session, now);
      return;
    case 'returned': {
      const settled = session.status === 'processing' ? await settleSession(database, session, now) : { session };
      if ('session' in settled && settled.session.status === 'succeeded' && !settled.session.return) {
        await returnDebit(database, settled.session, outcome.return, now);
      }
      return;
    }
    default: {
      const unknown: never = outcome;
      throw new Error(`unknown outcome ${String(unknown)}`);
    }
  }
}
