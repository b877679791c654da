import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Table } from '../../functions/contract/environment.ts';
import { due } from '../../functions/domain/due.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { second, toIso } from '../../functions/domain/time.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import type { Database } from '../../functions/store/database.ts';
import { postponeDue } from '../../functions/store/due-index.ts';
import { dueSessions } from '../../functions/store/sessions/sessions.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import { aSession } from '../support/examples.ts';
import { startTestTables } from '../support/tables.ts';
import { sweepTools } from '../support/tools.ts';
import { putAll } from '../support/put-all.ts';
import { beforeEachCall } from '../support/answered-client.ts';

const { database } = await startTestTables();

async function putDue(duty: 'expiry' | 'debit', count: number): Promise<string[]> {
  const dueAt = Date.now() - second;
  const sessionIds = Array.from({ length: count }, () => `ses_${ulid(dueAt, randomBytes)}`);
  const rows = sessionIds.map((sessionId) => ({
    ...aSession({ sessionId, expiresAt: toIso(dueAt) }),
    ...due(duty, sessionId, dueAt),
  }));
  await putAll(database, 'sessions', rows);
  return sessionIds;
}

const idsOf = (tickets: readonly Ticket[]) => tickets.map(({ body }) => (body as { sessionId: string }).sessionId);

/** Fails the writes of one row. */
function failingFor(sessionId: string): Database<Table> {
  return beforeEachCall(database, ({ operation, input }) => {
    if (operation === 'UpdateItem' && input.Key?.['sessionId']?.S === sessionId) throw new Error('throttled');
  });
}

describe('a round of the sweep', () => {
  it('postpones the other rows if one cannot be postponed, and counts that one as failed', async () => {
    const sessionIds = await putDue('debit', 12);
    const rows = dueSessions(failingFor(sessionIds[0] ?? ''), 'debit');
    const { keys, errors } = await postponeDue(rows, Date.now(), 25);
    expect(keys.map(({ sessionId }) => sessionId).sort()).toEqual(sessionIds.slice(1).sort());
    expect(errors).toHaveLength(1);
    const sent: string[] = [];
    const tools = sweepTools(failingFor(sessionIds[0] ?? ''), {
      sendDebits: async (tickets) => void sent.push(...idsOf(tickets)),
    });
    await expect(sweep(tools)).rejects.toThrow('1 due rows failed');
  });

  it(
    'sends expirations as tickets, ten in a request, and keeps no other work waiting',
    { timeout: 60_000 },
    async () => {
      const expired = await putDue('expiry', 600);
      const [debit] = await putDue('debit', 1);
      const order: string[] = [];
      const batches: number[] = [];
      await sweep(
        sweepTools(database, {
          sendExpirations: async (tickets) => {
            batches.push(tickets.length);
            order.push(...idsOf(tickets));
          },
          sendDebits: async (tickets) => void order.push(...idsOf(tickets)),
        }),
      );
      expect(order.toSorted()).toEqual(expect.arrayContaining([...expired, debit].toSorted()));
      expect(Math.max(...batches)).toBe(10);
      expect(batches.length).toBeLessThan(expired.length / 5);
      expect(order.indexOf(debit ?? '')).toBeLessThan(160);
    },
  );
});
