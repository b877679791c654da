import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Table } from '../../functions/contract/environment.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { day, toIso } from '../../functions/domain/time.ts';
import { connect } from '../../functions/store/database.ts';
import { dynamoDb } from '../../functions/store/dynamodb.ts';
import { newDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { putEvent } from '../../functions/store/webhooks/events.ts';
import { listAttributes } from '../../functions/store/sessions/sessions.ts';
import { startDynamoDb } from '../../lib/local/dynoxide.ts';
import { awsConfig } from '../support/aws.ts';
import { aSession } from '../support/examples.ts';
import { putAll } from '../support/put-all.ts';

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
