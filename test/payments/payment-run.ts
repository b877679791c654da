import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { SandboxUser } from '../../functions/domain/payments/sandbox-bank.ts';
import { day, minute } from '../../functions/domain/time.ts';
import { sessionEventId } from '../../functions/domain/webhooks/event.ts';
import { getEvidence } from '../../functions/store/payments/authorizations.ts';
import type { Database } from '../../functions/store/database.ts';
import { getDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { getClaimingSessionId } from '../../functions/store/payments/invoice-claims.ts';
import type { Post } from '../../functions/webhooks/post.ts';
import { aPractice } from '../support/examples.ts';
import type { Tables } from '../support/tables.ts';
import { storeEndpoint } from '../support/webhook-endpoint.ts';
import { crashingDatabase, type Crash } from './crash.ts';
import { firstDueIn, outcomeDelay, type TestBank } from './banks.ts';
import { carry, startService, type Service, type ServiceOptions, type Step } from './service.ts';

export const start = Date.parse('2026-11-20T10:00:00.000Z');
const endpointId = 'whe_1';

export const ways = {
  'that is returned late': {
    user: 'user_late_return',
    cancels: false,
    falters: false,
    steps: ['settle'],
    status: 'succeeded',
    types: ['processing', 'succeeded', 'returned'],
  },
  'that fails': {
    user: 'user_insufficient_funds',
    cancels: false,
    falters: true,
    steps: ['authorize', 'publish', 'submit', 'settle', 'deliver'],
    status: 'failed',
    types: ['processing', 'failed'],
  },
  'that is refused': {
    user: 'user_processor_error',
    cancels: false,
    falters: false,
    steps: ['submit'],
    status: 'failed',
    types: ['processing', 'failed'],
  },
  'that is cancelled': {
    user: 'user_stuck',
    cancels: true,
    falters: false,
    steps: ['authorize', 'submit', 'cancel'],
    status: 'cancelled',
    types: ['processing', 'cancelled'],
  },
} as const satisfies Record<string, Way>;

export interface Way {
  readonly user: SandboxUser;
  readonly cancels: boolean;
  readonly falters: boolean;
  /**
   * Its processes are killed in these steps, and those that publish or deliver with the first event: others take the same
   * steps. Elsewhere it does the same as the one that fails.
   */
  readonly steps: readonly Step[];
  readonly status: string;
  readonly types: readonly string[];
}

export interface Setting {
  readonly tables: Tables;
  readonly bank: TestBank;
}

export class Receiver {
  readonly bodies = new Map<string, string[]>();
  readonly falters: boolean;
  constructor(falters: boolean) {
    this.falters = falters;
  }

  readonly post = async ({ headers, body }: Post) => {
    const eventId = headers['webhook-id'] ?? '';
    const bodies = this.bodies.get(eventId) ?? [];
    this.bodies.set(eventId, [...bodies, body]);
    return { statusCode: this.falters && bodies.length === 0 ? 503 : 204 };
  };
}

export function serviceAt(now: number, options: ServiceOptions): Service {
  const service = startService(options);
  service.clock.now = now;
  return service;
}

export async function aSession(database: Database, bank: TestBank) {
  const practiceId = `prc_${randomBytes(8).toString('hex')}`;
  // Webhooks do not depend on who moves the money.
  if (bank.mode === 'sandbox') await storeEndpoint(database, { endpointId, practiceId });
  const practice = aPractice({ ...bank.practice, practiceId });
  const service = serviceAt(start, { database, bank, practice });
  return { sessionId: await service.create(`INV-${randomBytes(8).toString('hex')}`), practice, service };
}

export async function aConnectedSession(database: Database, bank: TestBank, { user }: Way) {
  const { sessionId, practice, service } = await aSession(database, bank);
  await service.connectBank(sessionId, user);
  return { sessionId, practice };
}

/** With `stops`, everything else stops too, and messages are lost. */
export async function pay(
  { tables, bank }: Setting,
  receiver: Receiver,
  way: Way,
  crash: Crash,
  stops: boolean,
): Promise<string> {
  const { sessionId, practice } = await aConnectedSession(tables.database, bank, way);
  const { database } = tables;
  const { post } = receiver;
  const service = serviceAt(start, { database: crashingDatabase(tables, crash), bank, practice, post, crash });
  let killed = false;
  const firstEvent = sessionEventId(sessionId, 1);
  const process = async (work: () => Promise<unknown>, step: Step, eventId = firstEvent): Promise<void> => {
    if (killed && stops) return;
    crash.dead = false;
    crash.spares = !way.steps.includes(step) || eventId !== firstEvent;
    try {
      await work();
    } catch (error) {
      if (!crash.dead) throw error;
    }
    killed ||= crash.dead;
  };
  const todo = way.cancels ? [() => service.cancel(sessionId)] : [];
  await process(() => service.authorize(sessionId), 'authorize');
  for (let published = 0; !(killed && stops); service.clock.now += outcomeDelay) {
    const events = await service.events(sessionId, published);
    published += events.length;
    if (events.length > 0) await process(() => service.publish(events), 'publish', events[0]?.eventId);
    else if (isEmpty(service.traffic)) {
      const next = todo.shift();
      if (!next) break;
      await process(next, 'cancel');
    }
    await carry(service, process);
  }
  // A practice that received no response retries.
  if (way.cancels && killed) await serviceAt(service.clock.now, { database, bank, practice, post }).cancel(sessionId);
  return sessionId;
}

function isEmpty(traffic: Service['traffic']): boolean {
  return Object.values(traffic).every((queue) => queue.length === 0);
}

/** When a sweep will find something, or Infinity. */
async function nextDueAt({ database, bank }: Service): Promise<number> {
  const found = await Promise.all([
    ...(['sessions', 'events', 'deliveries'] as const).map((table) => firstDueIn(database, table)),
    bank.nextOutcomeAt(database),
  ]);
  return Math.min(...found);
}

function nextMessageAt({ traffic, clock }: Service): number {
  const { bus, debits, settlements, deliveries } = traffic;
  const now = bus.length + debits.length > 0 ? clock.now : Infinity;
  return Math.min(now, ...[...settlements, ...deliveries].map(({ at }) => at));
}

/** Sweeps every minute, but skips the time in which nothing is due. */
export async function sweepUntilQuiet(service: Service, sweep = (): Promise<void> => service.sweep()): Promise<void> {
  const { clock } = service;
  // A row that kills its sweeps waits twice as long each time, up to six hours.
  const deadline = clock.now + 2 * day;
  for (;;) {
    const due = Math.max(clock.now + 1, await nextDueAt(service));
    const swept = Math.ceil(due / minute) * minute;
    const message = Math.max(clock.now, nextMessageAt(service));
    if (Math.min(swept, message) === Infinity) return;
    clock.now = Math.min(swept, message);
    if (clock.now > deadline) throw new Error('the sweep does not finish');
    if (clock.now === swept) await sweep();
    await carry(service);
  }
}

export async function expectEnded(service: Service, receiver: Receiver, sessionId: string, way: Way): Promise<void> {
  const { database, bank, processor } = service;
  const [session, events, debit] = await Promise.all([
    service.session(sessionId),
    service.events(sessionId),
    bank.debitOf(database, sessionId),
  ]);
  const authorized = session.processingAt !== undefined;
  const expected = authorized ? way : { status: 'cancelled', types: ['cancelled'] };
  expect(session.status).toBe(expected.status);
  expect(session.cancellation?.reason).toBe(
    expected.status !== 'cancelled' ? undefined : way.cancels ? 'requested_by_practice' : 'expired',
  );
  expect(events.map(({ type }) => type)).toEqual(expected.types.map((type) => `session.payment.${type}`));
  expect(await getClaimingSessionId(database, session)).toBeUndefined();
  const standing = debit?.voided === false ? debit : undefined;
  if (standing)
    expect(session.debit, 'the debit that stands').toEqual({
      debitId: standing.debitId,
      submittedAt: standing.submittedAt,
    });
  expect(standing !== undefined, 'no other session has a debit').toBe(
    session.settledAt !== undefined || session.failure?.code === 'insufficient_funds',
  );
  expect(await bank.pendingDebit(database, sessionId), 'nothing is left that could still be debited').toBeUndefined();
  const evidence = await getEvidence(database, sessionId);
  if (authorized && expected.status === 'cancelled')
    expect(evidence && (await processor.submitDebit(evidence, service.clock.now))).toEqual({ result: 'voided' });
  expect(session).not.toHaveProperty('dueAt');
  expect(session).not.toHaveProperty('cancelRequestedAt');

  if (bank.mode !== 'sandbox') return;
  for (const { eventId, body } of events) {
    expect(await getDelivery(database, { eventId, endpointId }), eventId).toMatchObject({ status: 'delivered' });
    const bodies = receiver.bodies.get(eventId) ?? [];
    expect(bodies.length).toBeGreaterThanOrEqual(receiver.falters ? 2 : 1);
    expect([...new Set(bodies)], 'one body per event id').toEqual([body]);
  }
}
