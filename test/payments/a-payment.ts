import type { Table } from '../../functions/contract/environment.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import type { DebitProcessor } from '../../functions/processors/processor.ts';
import { sandboxProcessor } from '../../functions/processors/sandbox/processor.ts';
import type { Database } from '../../functions/store/database.ts';
import { getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { storeSession } from '../support/store-session.ts';

export const now = Date.parse('2026-11-20T10:00:00.000Z');
export const delay = 3000;

export async function aPayment(database: Database<Table>, username: string) {
  const session = {
    status: 'processing',
    sequence: 1,
    processingAt: '2026-11-20T10:00:00.000Z',
    processorAccount: username,
  } as const;
  const { sessionId } = await storeSession(database, session, now);
  const tickets: Ticket[] = [];
  const processor = sandboxProcessor(database, async (sent) => void tickets.push(...sent), delay);
  return {
    sessionId,
    processor,
    tickets,
    tools: { database, processor },
    current: (): Promise<Session> => getExistingSession(database, sessionId),
    answering: (answers: Partial<DebitProcessor>) => ({ database, processor: { ...processor, ...answers } }),
  };
}
