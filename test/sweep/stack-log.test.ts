import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { due } from '../../functions/domain/due.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { hour, second, toIso } from '../../functions/domain/time.ts';
import { getDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { createTestDelivery } from '../../functions/store/webhooks/delivery-log.ts';
import { getEvent } from '../../functions/store/webhooks/events.ts';
import { isObject, parseJson } from '../../lib/local/json.ts';
import { anEntry } from '../support/create-practice.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import { databaseOf, type TestDatabase } from '../support/tables.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'payment-sweep-'));
let service: TestStack;
let database: TestDatabase;
beforeAll(async () => {
  service = await startTestStack({ dataDir });
  database = databaseOf(service.stack);
});
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function logged(message: string): Promise<Record<string, unknown>[]> {
  const directory = join(dataDir, 'logs');
  const texts = await Promise.all((await readdir(directory)).map((file) => readFile(join(directory, file), 'utf8')));
  return texts
    .flatMap((text) => text.split('\n').map(parseJson))
    .filter(isObject)
    .filter((line) => line['message'] === message);
}

describe('the running stack', () => {
  it('logs a row that is stuck for an hour, and measures its age from when it was first due', async () => {
    const sessionId = `ses_${ulid(Date.now(), randomBytes)}`;
    const { dueShard, dueAt } = due('debit', sessionId, Date.now() - second);
    const taken = { dueAt, firstDueAt: toIso(Date.now() - 3 * hour), times: 6 };
    await database.documents.send(
      new PutCommand({ TableName: database.tables.sessions, Item: { sessionId, dueShard, dueAt, taken } }),
    );
    await service.stack.fireSchedules();
    await expect
      .poll(() => logged('due row stuck'))
      .toEqual([expect.objectContaining({ level: 'ERROR', duty: 'debit', sessionId, times: 7 })]);
    await expect
      .poll(() => logged('swept'))
      .toContainEqual(
        expect.objectContaining({
          duty: 'debit',
          Duty: 'debit',
          SweepAge: expect.closeTo((3 * hour) / second, -2) as number,
        }),
      );
    expect(
      Math.max(
        ...(await logged('swept')).filter(({ duty }) => duty !== 'debit').map(({ SweepAge }) => Number(SweepAge)),
      ),
    ).toBeLessThan(60);
  });

  it('publishes transitions, and no tests of endpoints', async () => {
    const { practiceId, endpointId } = service.practice;
    const eventId = `evt_${ulid(Date.now(), randomBytes)}`;
    await createTestDelivery(
      database,
      { eventId, practiceId, endpointId, livemode: false },
      Date.now(),
      anEntry(practiceId),
    );
    await service.stack.fireSchedules();
    await expect.poll(() => getDelivery(database, { eventId, endpointId })).toMatchObject({ attempts: 1 });
    expect(await getEvent(database, eventId), 'in the outbox').toMatchObject({ type: 'webhook.test' });

    // The stream is ordered: once this is published, the test was read.
    const { sessionId } = await service.createSession();
    await service.client.sessions.cancel(sessionId);
    await service.receiver.waitFor('session.payment.cancelled', sessionId);
    // Does not wait for its dispatch line: a dispatch that times out has none, and the sweep continues. The webhook may arrive before this line.
    const published = async () => (await logged('events published')).reduce((sum, { count }) => sum + Number(count), 0);
    await expect.poll(published).toBe(1);
  });

  it('parks a row of the outbox without a type, or with one that is not text', async () => {
    const rows = [{ eventId: 'evt_without' }, { eventId: 'evt_number', type: 7 }];
    for (const Item of rows) await database.documents.send(new PutCommand({ TableName: database.tables.events, Item }));
    await expect.poll(() => logged('unreadable event parked')).toHaveLength(rows.length);
  });
});
