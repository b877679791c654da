import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SandboxUser } from '../../functions/domain/sandbox-bank.ts';
import { hour, minute, second, toIso } from '../../functions/domain/time.ts';
import { generateSigningSecret } from '../../functions/domain/webhook-signature.ts';
import { getDelivery, dueDeliveries } from '../../functions/store/deliveries.ts';
import { listDue } from '../../functions/store/due-index.ts';
import { undispatchedEvents } from '../../functions/store/events.ts';
import { getClaimingSessionId } from '../../functions/store/invoice-claims.ts';
import { dueOutcomes } from '../../functions/store/sandbox-debits.ts';
import { dueSessions } from '../../functions/store/sessions.ts';
import { createWebhookEndpoint } from '../../functions/store/webhook-endpoints.ts';
import type { Post } from '../../functions/webhooks/post.ts';
import { aPractice } from '../support/examples.ts';
import { startTestTables } from '../support/test-tables.ts';
import {
  startService,
  carry,
  crashAt,
  crashingDatabase,
  outcomeDelay,
  type Crash,
  type Service,
  type ServiceOptions,
} from './support.ts';

const tables = await startTestTables();

const start = Date.parse('2026-11-20T10:00:00.000Z');

/** What ought to become of a payment by each of these ways, if it was authorized at all. */
const ways = {
  'that is returned late': {
    user: 'user_late_return',
    cancels: false,
    status: 'succeeded',
    types: ['processing', 'succeeded', 'returned'],
  },
  'that fails': { user: 'user_insufficient_funds', cancels: false, status: 'failed', types: ['processing', 'failed'] },
  'that is refused': {
    user: 'user_processor_error',
    cancels: false,
    status: 'failed',
    types: ['processing', 'failed'],
  },
  'that is cancelled': { user: 'user_stuck', cancels: true, status: 'cancelled', types: ['processing', 'cancelled'] },
} as const satisfies Record<string, { user: SandboxUser; cancels: boolean; status: string; types: readonly string[] }>;
type Way = (typeof ways)[keyof typeof ways];

const endpointId = 'whe_faltering';

/** A practice with a webhook server that fails each event's first attempt, and the bodies it was sent by event id. */
async function aPracticeThatListens() {
  const practice = aPractice({ practiceId: `prc_${randomBytes(8).toString('hex')}` });
  await createWebhookEndpoint(tables.database, {
    practiceId: practice.practiceId,
    endpointId,
    url: 'https://hooks.example.com/',
    status: 'enabled',
    signingSecret: generateSigningSecret(randomBytes),
    createdAt: toIso(start),
  });
  const posts = new Map<string, string[]>();
  const post = async ({ headers, body }: Post) => {
    const eventId = headers['webhook-id'] ?? '';
    const bodies = posts.get(eventId) ?? [];
    posts.set(eventId, [...bodies, body]);
    return { statusCode: bodies.length === 0 ? 503 : 204 };
  };
  return { practice, posts, post };
}
type Listening = Awaited<ReturnType<typeof aPracticeThatListens>>;

function serviceAt(now: number, options: ServiceOptions): Service {
  const service = startService(options);
  service.clock.now = now;
  return service;
}

/** A pending session with a connected bank. */
async function aConnectedSession({ practice, post }: Listening, { user }: Way): Promise<string> {
  const service = serviceAt(start, { database: tables.database, practice, post });
  const sessionId = await service.create(`INV-${randomBytes(8).toString('hex')}`);
  await service.connectBank(sessionId, user);
  return sessionId;
}

/** Goes the whole way with stream and queues at work, but one process is killed. `stops`: what was on its way then is lost too. */
async function pay(listening: Listening, way: Way, crash: Crash, stops: boolean): Promise<string> {
  const sessionId = await aConnectedSession(listening, way);
  const { practice, post } = listening;
  const service = serviceAt(start, { database: crashingDatabase(tables, crash), practice, post, crash });
  let killed = false;
  const process = async (work: () => Promise<unknown>): Promise<void> => {
    if (killed && stops) return;
    crash.dead = false;
    try {
      await work();
    } catch (error) {
      if (!crash.dead) throw error;
      killed = true;
    }
  };
  const todo = way.cancels ? [() => service.cancel(sessionId)] : [];
  await process(() => service.authorize(sessionId));
  for (let published = 0; !(killed && stops); service.clock.now += outcomeDelay) {
    const events = (await service.events(sessionId)).slice(published);
    published += events.length;
    if (events.length > 0) await process(() => service.publish(events));
    else if (isEmpty(service.traffic)) {
      const next = todo.shift();
      if (!next) break;
      await process(next);
    }
    await carry(service, process);
  }
  // A practice that got no answer asks again.
  if (way.cancels && killed)
    await serviceAt(service.clock.now, { database: tables.database, practice, post }).cancel(sessionId);
  return sessionId;
}

function isEmpty(traffic: Service['traffic']): boolean {
  return Object.values(traffic).every((queue) => queue.length === 0);
}

/** Whether nothing is left that the sweep would have to see to within the day. */
async function isQuiet({ database, clock, traffic }: Service): Promise<boolean> {
  const horizon = clock.now + 24 * hour;
  const rows = [
    ...(['expiry', 'debit', 'cancellation'] as const).map((work) =>
      listDue(database, dueSessions(database, work), horizon, 1),
    ),
    listDue(database, undispatchedEvents(database), horizon, 1),
    listDue(database, dueDeliveries(database), horizon, 1),
    listDue(database, dueOutcomes(database), horizon, 1),
  ];
  return (await Promise.all(rows)).every((found) => found.length === 0) && isEmpty(traffic);
}

/** Sweeps once a minute, without any stream, until there is nothing left to do; throws after four hours. */
async function sweepUntilQuiet(service: Service): Promise<void> {
  const deadline = service.clock.now + 4 * hour;
  while (!(await isQuiet(service))) {
    if (service.clock.now > deadline) throw new Error('the sweep has not brought everything to its end');
    service.clock.now += minute;
    await service.sweep();
    await carry(service);
  }
}

/** Everything that has to be true of one payment when all is quiet, however it came to that. */
async function expectEnded(service: Service, { posts }: Listening, sessionId: string, way: Way): Promise<void> {
  const [session, events, ledger] = await Promise.all([
    service.session(sessionId),
    service.events(sessionId),
    service.debitRow(sessionId),
  ]);
  const authorized = session.processingAt !== undefined;
  const expected = authorized ? way : { status: 'cancelled', types: ['cancelled'] };
  expect(session.status).toBe(expected.status);
  expect(session.cancellation?.reason).toBe(
    expected.status !== 'cancelled' ? undefined : way.cancels ? 'requested_by_practice' : 'expired',
  );
  expect(events.map(({ type }) => type)).toEqual(expected.types.map((type) => `session.payment.${type}`));
  expect(await getClaimingSessionId(service.database, session)).toBeUndefined();
  const standing = ledger?.voidedAt === undefined ? ledger?.debit : undefined;
  if (standing)
    expect(session.debit, 'the session names the one debit that stands').toEqual({
      debitId: `sandbox_${sessionId}`,
      submittedAt: standing.submittedAt,
    });
  expect(standing !== undefined, 'money moves for no other').toBe(
    session.settledAt !== undefined || session.failure?.code === 'insufficient_funds',
  );
  expect(ledger !== undefined).toBe(authorized && way.user !== 'user_processor_error');
  expect(session).not.toHaveProperty('dueAt');
  expect(session).not.toHaveProperty('cancelRequestedAt');

  for (const { eventId, body } of events) {
    expect(await getDelivery(service.database, { eventId, endpointId }), eventId).toMatchObject({
      status: 'delivered',
    });
    const bodies = posts.get(eventId) ?? [];
    expect(bodies.length).toBeGreaterThan(1);
    expect([...new Set(bodies)], 'one event id never has two bodies').toEqual([body]);
  }
}

describe('a payment', () => {
  it.each(Object.entries(ways))(
    '%s ends as it ought to although a process is killed between any two of its writes and sends',
    async (_, way) => {
      const listening = await aPracticeThatListens();
      const rehearsal = crashAt(0, 'before');
      const sessionIds = [await pay(listening, way, rehearsal, false)];
      expect(rehearsal.calls).toBeGreaterThan(10);
      for (let call = 1; call <= rehearsal.calls; call += 1) {
        // Where all else stops too, the moment after one call is that before the next; the longest way is tried in that harder case alone.
        const stopping = pay(listening, way, crashAt(call, 'after'), true);
        const goingOn = way.types.length < 3 ? [pay(listening, way, crashAt(call, 'before'), false)] : [];
        sessionIds.push(...(await Promise.all([stopping, ...goingOn])));
      }
      const sweeper = serviceAt(start + hour, {
        database: tables.database,
        practice: listening.practice,
        post: listening.post,
      });
      await sweepUntilQuiet(sweeper);
      await Promise.all(sessionIds.map((sessionId) => expectEnded(sweeper, listening, sessionId, way)));
    },
    60_000,
  );

  it('needs neither the stream nor any first ticket, nor a sweep that lives to its end', async () => {
    const listening = await aPracticeThatListens();
    const { practice, post } = listening;
    const lost = new Set<string>();
    const loses = (message: object) => !lost.has(JSON.stringify(message)) && lost.add(JSON.stringify(message)) === lost;
    const deaf = serviceAt(start, { database: tables.database, practice, post, loses: () => true });
    const payments: { sessionId: string; way: Way }[] = [];
    for (const way of Object.values(ways)) {
      const sessionId = await aConnectedSession(listening, way);
      await deaf.authorize(sessionId);
      if (way.cancels) await deaf.cancel(sessionId, { voidDebit: async () => ({ result: 'unknown' }) });
      payments.push({ sessionId, way });
    }
    const clock = { now: start };
    for (let call = 1; call <= 40; call += 1) {
      const crash = crashAt(call, call % 2 === 0 ? 'before' : 'after');
      const dying = serviceAt((clock.now += 20 * second), {
        database: crashingDatabase(tables, crash),
        practice,
        post,
        crash,
        loses,
      });
      await dying.sweep().catch((error: unknown) => {
        if (!crash.dead) throw error;
      });
      const living = serviceAt(clock.now, { database: tables.database, practice, post, loses });
      for (const [queue, messages] of Object.entries(dying.traffic))
        Object.assign(living.traffic, { [queue]: messages });
      await carry(living);
    }
    const sweeper = serviceAt(clock.now, { database: tables.database, practice, post, loses });
    await sweepUntilQuiet(sweeper);
    for (const { sessionId, way } of payments) await expectEnded(sweeper, listening, sessionId, way);
  });

  it('ends as it ought to although everything that is on its way arrives twice, at once', async () => {
    for (const way of Object.values(ways)) {
      const listening = await aPracticeThatListens();
      const sessionId = await aConnectedSession(listening, way);
      const service = serviceAt(start, {
        database: tables.database,
        practice: listening.practice,
        post: listening.post,
      });
      await service.authorize(sessionId);
      if (way.cancels) await service.cancel(sessionId, { voidDebit: async () => ({ result: 'unknown' }) });
      for (let round = 0; round < 6; round += 1) {
        await service.publish(await service.events(sessionId));
        await carry(service, async (work) => void (await Promise.all([work(), work()])));
        service.clock.now += outcomeDelay;
      }
      await sweepUntilQuiet(service);
      await expectEnded(service, listening, sessionId, way);
    }
  });
});
