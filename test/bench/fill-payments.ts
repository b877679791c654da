import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Table } from '../../functions/contract/environment.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { day, toIso } from '../../functions/domain/time.ts';
import { connect, type Database } from '../../functions/store/database.ts';
import { dynamoDb } from '../../functions/store/dynamodb.ts';
import { newDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { putEvent } from '../../functions/store/webhooks/events.ts';
import { listAttributes } from '../../functions/store/sessions/sessions.ts';
import { startDynamoDb } from '../../lib/local/dynoxide.ts';
import { awsConfig } from '../support/answered-client.ts';
import { aSession } from '../support/examples.ts';
import { putAll, writeAll } from '../support/put-all.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';

interface Practice {
  readonly practiceId: string;
  readonly endpointId: string;
}

const writersAtOnce = 4;

/** Fills the data directory of a stopped stack with payments of the last 29 days, each with two events and four deliveries. */
export async function fillPayments(dataDir: string, { practiceId, endpointId }: Practice, count: number) {
  await using cleanup = new AsyncDisposableStack();
  const dynamo = await startDynamoDb(dataDir);
  cleanup.defer(() => dynamo.stop());
  const { tables }: { tables: Record<Table, string> } = JSON.parse(
    await readFile(join(dataDir, 'operator.json'), 'utf8'),
  );
  const database = connect(tables, dynamoDb(awsConfig(dynamo.endpoint)));

  function payment(at: number) {
    const sessionId = `ses_${ulid(at, randomBytes)}`;
    const session = aSession({
      practiceId,
      sessionId,
      invoiceId: sessionId,
      status: 'succeeded',
      createdAt: toIso(at),
    });
    const events = [1, 2].map((sequence) => {
      const type = sequence === 1 ? 'session.payment.processing' : 'session.payment.succeeded';
      const { Item = {} } = putEvent(database, type, { ...session, sequence }, 'pending', at).Put ?? {};
      const { dueShard: _, dueAt: __, ...row } = unmarshall(Item);
      return row;
    });
    const deliveries = events.flatMap(({ eventId, type: eventType }) =>
      [endpointId, 'whe_that_was_removed'].map((each) =>
        newDelivery({ eventId, endpointId: each, practiceId, eventType, status: 'delivered' }, at),
      ),
    );
    return { session: { ...session, sequence: 2, ...listAttributes(session) }, events, deliveries };
  }

  const [step, now] = [(29 * day) / count, Date.now()];
  let written = 0;
  await Promise.all(
    Array.from({ length: writersAtOnce }, async () => {
      while (written < count) {
        const first = written;
        written += 100;
        const payments = Array.from({ length: Math.min(100, count - first) }, (_, index) =>
          payment(Math.floor(now - (first + index) * step)),
        );
        await putAll(
          database,
          'sessions',
          payments.map(({ session }) => session),
        );
        await putAll(
          database,
          'events',
          payments.flatMap(({ events }) => events),
        );
        await putAll(
          database,
          'deliveries',
          payments.flatMap(({ deliveries }) => deliveries),
        );
      }
    }),
  );
}

const debitReturn = { return: { code: 'account_closed', returnedAt: toIso(Date.now()) } } as const;

/** All sessions succeeded except the oldest, which failed. The second was returned. */
export async function fillSessions(
  database: Database,
  practiceId: string,
  count: number,
  invoiceOf = (index: number) => `INV-${index}`,
): Promise<void> {
  const start = Date.now() - count * 1000;
  const rows = Array.from({ length: count }, (_, index): Session => {
    const sessionId = `ses_${ulid(start + index * 1000, randomBytes)}`;
    const created = { practiceId, sessionId, invoiceId: invoiceOf(index) };
    return aSession({ ...created, status: index === 0 ? 'failed' : 'succeeded', ...(index === 1 && debitReturn) });
  });
  await putAll(
    database,
    'sessions',
    rows.map((row) => ({ ...row, ...listAttributes(row) })),
  );
}

/** Spreads events evenly over the 29 days before `now`. All sessions succeeded; the oldest event is a return. */
export async function fillEvents(database: Database, practiceId: string, count: number, now: number): Promise<void> {
  const step = (29 * day) / count;
  const puts = Array.from({ length: count }, (_, index) => {
    const at = Math.floor(now - (count - index) * step);
    const session = aSession({
      practiceId,
      sessionId: `ses_${ulid(at, randomBytes)}`,
      status: 'succeeded',
      sequence: 2,
    });
    const type = index === 0 ? 'session.payment.returned' : 'session.payment.succeeded';
    return putEvent(database, type, session, 'processing', at);
  });
  await writeAll(database, puts);
}
