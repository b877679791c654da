import { expect } from 'vitest';
import type { Session } from '../../functions/domain/sessions/session.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import type { DebitProcessor } from '../../functions/processors/processor.ts';
import { sandboxProcessor } from '../../functions/processors/sandbox/processor.ts';
import type { Database } from '../../functions/store/database.ts';
import { getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { storeSession } from '../support/create-practice.ts';
import type { Practice } from '../../functions/domain/practices/practice.ts';
import { day } from '../../functions/domain/time.ts';
import { aPractice } from '../support/examples.ts';
import { startService, type Service } from './service.ts';

let start = Date.parse('9000-11-20T10:00:00.000Z');

/** Uses a time that earlier tests' sweeps did not reach. */
export function aPracticeOfItsOwn(database: Database, differences: Partial<Practice> = {}) {
  start -= 60 * day;
  const practice = aPractice({ practiceId: `prc_${start}`, ...differences });
  const at = (now: number): Service => {
    const service = startService({ database, practice });
    service.clock.now = now;
    return service;
  };
  return { practice, at, createdAt: start, linkDies: start + practice.linkLifetimeDays * day };
}

export async function outcomeOf(service: Service, sessionId: string, expiresAt: string) {
  const [session, events] = await Promise.all([service.session(sessionId), service.events(sessionId)]);
  expect(session.sequence).toBe(events.length);
  if (session.cancellation?.reason === 'expired') {
    expect(session).toMatchObject({ status: 'cancelled', cancelledAt: expiresAt, expiresAt });
    expect(events).toMatchObject([{ type: 'session.payment.cancelled', createdAt: expiresAt }]);
    expect(session).not.toHaveProperty('dueAt');
  }
  return { session, types: events.map(({ type }) => type), won: session.cancellation?.reason ?? session.status };
}

export const now = Date.parse('2026-11-20T10:00:00.000Z');
export const delay = 3000;

export async function aPayment(database: Database, username: string) {
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
