import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DeleteCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { due, dueShards } from '../../functions/domain/due.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { minute, second, toIso } from '../../functions/domain/time.ts';
import { listAttributes } from '../../functions/store/sessions/sessions.ts';
import { synthesize } from '../../lib/build/synthesize.ts';
import { aSession } from '../support/examples.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import { patientOf, succeeded, type Answer } from '../support/patient.ts';
import { isProblem } from '../../web/client/index.ts';
import { databaseOf, type TestDatabase } from '../support/tables.ts';
import { putAll } from '../support/put-all.ts';
import { median, table } from './report.ts';

const links = 50_000;
const longest = 30 * minute;

/** Milliseconds from the sweep's start until a webhook arrives. */
interface Lateness {
  readonly debit: number;
  readonly delivery: number;
  readonly event: number;
  /** Lateness for a patient who authorizes in the meantime. */
  readonly authorization: number;
}

/** A practice without endpoints, so that only the expirations themselves are measured. */
async function fillExpired(database: TestDatabase): Promise<void> {
  const now = Date.now();
  const rows = Array.from({ length: links }, (_, index) => {
    const dueAt = now - Math.floor((index * minute) / links);
    const sessionId = `ses_${ulid(dueAt, randomBytes)}`;
    const session = aSession({ sessionId, practiceId: 'prc_expiring', expiresAt: toIso(dueAt) });
    return { ...session, ...listAttributes(session), ...due('expiry', sessionId, dueAt) };
  });
  await putAll(database, 'sessions', rows);
}

async function anyLeft({ documents, tables }: TestDatabase): Promise<boolean> {
  const counts = await Promise.all(
    dueShards('expiry').map(async (shard) => {
      const { Count = 0 } = await documents.send(
        new QueryCommand({
          TableName: tables.sessions,
          IndexName: 'byDue',
          // The sweep postpones what it found. Other sessions of this run expire later.
          KeyConditionExpression: 'dueShard = :shard AND dueAt < :soon',
          ExpressionAttributeValues: { ':shard': shard, ':soon': toIso(Date.now() + 20 * minute) },
          Limit: 1,
        }),
      );
      return Count;
    }),
  );
  return counts.some((count) => count > 0);
}

/** The patient authorized, but the debit's ticket was lost. */
async function loseDebit({ practice }: TestStack, { documents, tables }: TestDatabase): Promise<string> {
  const sessionId = `ses_${ulid(Date.now(), randomBytes)}`;
  const at = toIso(Date.now());
  const authorized = { status: 'processing', sequence: 1, processingAt: at, lastTransitionAt: at } as const;
  const session = aSession({
    sessionId,
    practiceId: practice.practiceId,
    ...authorized,
    processorAccount: 'user_good',
  });
  const Item = { ...session, ...due('debit', sessionId, Date.now() - second) };
  await documents.send(new PutCommand({ TableName: tables.sessions, Item }));
  return sessionId;
}

async function makeDue(
  { documents, tables }: TestDatabase,
  name: 'deliveries' | 'events',
  key: Record<string, string>,
  duty: 'delivery' | 'dispatch',
): Promise<void> {
  const { dueShard, dueAt } = due(duty, Object.values(key).join('#'), Date.now() - second);
  const again = name === 'deliveries' ? ', #status = :pending, nextAttemptAt = :dueAt' : '';
  await documents.send(
    new UpdateCommand({
      TableName: tables[name],
      Key: key,
      UpdateExpression: `SET dueShard = :dueShard, dueAt = :dueAt${again}`,
      ExpressionAttributeValues: { ':dueShard': dueShard, ':dueAt': dueAt, ...(again && { ':pending': 'pending' }) },
      ...(again && { ExpressionAttributeNames: { '#status': 'status' } }),
    }),
  );
}

/** Retries like a practice's client. The test stack's client does not retry. */
async function retrying<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isProblem(error, 'temporarily_unavailable')) throw error;
      await wait(error.retryAfter);
    }
  }
}

/** Retries like the page. */
async function untilAvailable(call: () => Promise<Answer>): Promise<Answer> {
  let answer = await call();
  while (answer.status === 503) {
    await wait(2 * second);
    answer = await call();
  }
  return answer;
}

async function cancelled({ createSession, client, receiver }: TestStack): Promise<string> {
  const { sessionId } = await retrying(() => createSession());
  await retrying(() => client.sessions.cancel(sessionId)).catch((error: unknown) => {
    // The first call may have succeeded.
    if (!isProblem(error, 'session_not_cancellable')) throw error;
  });
  const { event } = await receiver.waitFor('session.payment.cancelled', sessionId, longest);
  await wait(second);
  return event.id;
}

async function secondWebhook({ receiver }: TestStack, eventId: string): Promise<void> {
  for (const end = Date.now() + longest; Date.now() < end; await wait(5))
    if (receiver.received.filter(({ event }) => event.id === eventId).length > 1) return;
  throw new Error(`${eventId} did not come again`);
}

async function probe(stack: TestStack, database: TestDatabase): Promise<Lateness> {
  const { practice, receiver } = stack;
  const [again, undispatched] = [await cancelled(stack), await cancelled(stack)];
  const { hostedUrl, sessionId } = await retrying(() => stack.createSession());
  const patient = patientOf(hostedUrl);
  succeeded(await untilAvailable(() => patient.connectBank('user_good', practice.password)));
  const debited = await loseDebit(stack, database);
  await makeDue(database, 'deliveries', { eventId: again, endpointId: practice.endpointId }, 'delivery');
  const key = { eventId: undispatched, endpointId: practice.endpointId };
  await database.documents.send(new DeleteCommand({ TableName: database.tables.deliveries, Key: key }));
  await makeDue(database, 'events', { eventId: undispatched }, 'dispatch');

  const startedAt = performance.now();
  await stack.stack.fireSchedules();
  const since = (from: number) => performance.now() - from;
  const authorized = async () => {
    const sentAt = performance.now();
    // 409: the first call succeeded.
    const answer = await untilAvailable(() => patient.authorize());
    if (answer.status !== 409) succeeded(answer);
    await receiver.waitFor('session.payment.processing', sessionId, longest);
    return since(sentAt);
  };
  const [debit, delivery, event, authorization] = await Promise.all([
    // The sandbox bank pays three seconds later.
    receiver.waitFor('session.payment.succeeded', debited, longest).then(() => since(startedAt) - 3 * second),
    secondWebhook(stack, again).then(() => since(startedAt)),
    secondWebhook(stack, undispatched).then(() => since(startedAt)),
    authorized(),
  ]);
  return { debit, delivery, event, authorization };
}

const inSeconds = (milliseconds: number) => `${(milliseconds / second).toFixed(1)} s`;

/** How late other work is while a mass of links expires. */
export async function benchExpiry(): Promise<string> {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'payment-bench-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  const assembly = await synthesize({ stage: 'sandbox', local: true, outdir: join(directory, 'assembly') });
  const stack = await startTestStack({ assembly });
  cleanup.defer(() => stack.stop());
  const database = databaseOf(stack.stack);

  await probe(stack, database);
  const alone = [await probe(stack, database), await probe(stack, database), await probe(stack, database)];
  await fillExpired(database);
  const startedAt = performance.now();
  const meanwhile: Lateness[] = [];
  do meanwhile.push(await probe(stack, database));
  while ((await anyLeft(database)) && performance.now() - startedAt < longest);
  const took = performance.now() - startedAt;

  const row = (what: string, name: keyof Lateness) => [
    what,
    inSeconds(median(alone.map((each) => each[name]))),
    inSeconds(median(meanwhile.map((each) => each[name]))),
    inSeconds(Math.max(...meanwhile.map((each) => each[name]))),
  ];
  return table(
    [
      `mass expiration: ${links.toLocaleString('en-US')} links due within a minute, cancelled after ${inSeconds(took)}`,
      'alone, median of 3',
      `meanwhile, median of ${meanwhile.length}`,
      'slowest',
    ],
    [
      row("from the sweep's start to the result of a debit whose ticket was lost, less the bank's 3 s", 'debit'),
      row("from the sweep's start to a webhook whose retry was lost", 'delivery'),
      row("from the sweep's start to the webhook of an event that was not published", 'event'),
      row('from a patient who authorizes to the webhook', 'authorization'),
    ],
  );
}
