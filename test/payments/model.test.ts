import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { due, ticketGrace, type DueWork } from '../../functions/domain/due.ts';
import { connectionOf, fateOf, nextOutcomeAt, type SandboxUser } from '../../functions/domain/sandbox-bank.ts';
import { maximumBankConnectionAttempts, withExpiry } from '../../functions/domain/session.ts';
import { day, minute, toIso } from '../../functions/domain/time.ts';
import { getEvidence } from '../../functions/store/authorizations.ts';
import { getClaimingSessionId } from '../../functions/store/invoice-claims.ts';
import { aPractice } from '../support/examples.ts';
import { startTestTables } from '../support/test-tables.ts';
import { startService, carry, outcomeDelay, type Service } from './support.ts';
import { isTerminal, type SessionEventType, type SessionStatus } from '../../functions/domain/transitions.ts';

const tables = await startTestTables();

const sessionLifetime = 30 * minute;
const linkLifetime = 7 * day;

/** What one session ought to be; times in milliseconds since 1970. */
interface Expected {
  status: SessionStatus;
  expiresAt: number;
  opened: boolean;
  attempts: number;
  user?: SandboxUser;
  cancelRequested: boolean;
  voided: boolean;
  returned: boolean;
  submittedAt?: number;
  /** When the sweep is to see to its expiry, debit or cancellation, and to its outcome at the bank. */
  dueAt: number | undefined;
  outcomeAt: number | undefined;
  /** Types and times. */
  events: [SessionEventType, number][];
}

/** The whole of the rules in plain variables. `now` moves; `claim` is the session that has the invoice. */
class Model {
  now: number;
  readonly guard: boolean;
  readonly sessions: Expected[] = [];
  claim: Expected | undefined;
  constructor(now: number, guard: boolean) {
    this.now = now;
    this.guard = guard;
  }

  move(session: Expected, status: SessionStatus, type: SessionEventType, now = this.now): void {
    session.events.push([type, Math.max(now, (session.events.at(-1)?.[1] ?? 0) + 1)]);
    Object.assign(session, { status, dueAt: undefined, cancelRequested: false });
    if (status === 'processing' && this.guard) this.claim = session;
    if (this.claim === session && (status === 'failed' || status === 'cancelled' || session.returned))
      this.claim = undefined;
  }
  payable(session: Expected): boolean {
    return session.status === 'pending' && this.now < session.expiresAt;
  }
  open(session: Expected): void {
    if (!this.payable(session) || session.opened) return;
    Object.assign(session, { opened: true, expiresAt: this.now + sessionLifetime, dueAt: this.now + sessionLifetime });
  }
  connect(session: Expected, user: SandboxUser): void {
    this.open(session);
    if (!this.payable(session) || session.attempts === maximumBankConnectionAttempts) return;
    const connection = connectionOf(user);
    if (connection.connects) session.user = user;
    // A bank that is down costs the patient no attempt.
    else if (!connection.unavailable) session.attempts += 1;
  }
  authorize(session: Expected): void {
    if (!this.payable(session) || session.user === undefined || (this.guard && this.claim)) return;
    this.move(session, 'processing', 'session.payment.processing');
    session.dueAt = this.now + ticketGrace;
  }
  cancel(session: Expected, bankIsSilent: boolean): void {
    if (this.payable(session)) this.move(session, 'cancelled', 'session.payment.cancelled');
    else if (session.status === 'processing' && bankIsSilent)
      Object.assign(session, { cancelRequested: true, dueAt: this.now + ticketGrace });
    else if (session.status === 'processing') this.void(session);
  }
  void(session: Expected): void {
    const tooLate =
      session.user === 'user_sent' ||
      (session.user !== 'user_stuck' &&
        session.submittedAt !== undefined &&
        this.now >= session.submittedAt + outcomeDelay);
    if (tooLate)
      Object.assign(session, {
        cancelRequested: false,
        dueAt: session.submittedAt === undefined ? session.events[0]?.[1] : undefined,
      });
    else
      this.move(
        Object.assign(session, { voided: true, outcomeAt: undefined }),
        'cancelled',
        'session.payment.cancelled',
      );
  }
  submit(session: Expected): void {
    if (session.status !== 'processing') return;
    if (session.cancelRequested) this.void(session);
    else if (session.user === 'user_processor_error') this.move(session, 'failed', 'session.payment.failed');
    else if (session.submittedAt === undefined)
      Object.assign(session, {
        submittedAt: this.now,
        dueAt: undefined,
        outcomeAt: this.nextOutcome(session, this.now),
      });
  }
  nextOutcome({ user }: Expected, submittedAt: number): number | undefined {
    const fate = user && fateOf(user);
    return fate && nextOutcomeAt(fate, submittedAt, outcomeDelay, this.now);
  }
  settle(session: Expected): void {
    const { user, submittedAt, voided } = session;
    if (submittedAt === undefined || voided) return;
    session.outcomeAt = this.nextOutcome(session, submittedAt);
    if (this.now < submittedAt + outcomeDelay || user === 'user_stuck' || user === 'user_sent') return;
    if (session.status === 'processing' && user === 'user_insufficient_funds')
      this.move(session, 'failed', 'session.payment.failed');
    else if (session.status === 'processing') this.move(session, 'succeeded', 'session.payment.succeeded');
    if (user !== 'user_late_return' || this.now < submittedAt + 2 * outcomeDelay || session.returned) return;
    this.move(Object.assign(session, { returned: true }), 'succeeded', 'session.payment.returned');
  }
  sweep(): void {
    for (const session of this.sessions) {
      if (session.status === 'pending' && this.now >= session.expiresAt)
        this.move(session, 'cancelled', 'session.payment.cancelled', session.expiresAt);
      if (session.status === 'processing' && session.dueAt !== undefined && this.now >= session.dueAt)
        this.submit(session);
      if (session.outcomeAt !== undefined && this.now >= session.outcomeAt) this.settle(session);
    }
  }
}

/** The service, the ids of its sessions in the model's order, and the facts of those that have ended. */
interface Real {
  readonly service: Service;
  readonly ids: string[];
  readonly ended: Map<string, object>;
}

const statusesSeen = new Set<string>();

/** Everything that has to be true of the tables after every command. */
async function verify(model: Model, { service, ids, ended }: Real): Promise<void> {
  const { database } = service;
  await Promise.all(
    ids.map(async (sessionId, index) => {
      const expected = model.sessions[index];
      if (!expected) throw new Error('a session that the model does not know');
      const [session, events, evidence, debit] = await Promise.all([
        service.session(sessionId),
        service.events(sessionId),
        getEvidence(database, sessionId),
        service.debitRow(sessionId),
      ]);
      const {
        status,
        sequence,
        cancelledAt,
        cancellation,
        settledAt,
        failedAt,
        failure,
        processingAt,
        dueShard,
        dueAt,
      } = session;
      statusesSeen.add(`${status}${session.return ? ' returned' : ''}${cancellation ? ` ${cancellation.reason}` : ''}`);

      expect(status).toBe(expected.status);
      expect(withExpiry(session, model.now).status).toBe(
        status === 'pending' && model.now >= expected.expiresAt ? 'cancelled' : status,
      );
      expect(session.expiresAt).toBe(toIso(expected.expiresAt));
      expect(session.bankConnectionAttempts).toBe(expected.attempts);
      if (isTerminal(status)) {
        const facts = { status, cancelledAt, cancellation, settledAt, failedAt, failure, processingAt };
        expect(facts).toEqual(ended.get(sessionId) ?? facts);
        ended.set(sessionId, facts);
      }
      if (cancellation?.reason === 'expired') expect(cancelledAt).toBe(session.expiresAt);

      expect(events.map(({ type, createdAt }) => [type, createdAt])).toEqual(
        expected.events.map(([type, at]) => [type, toIso(at)]),
      );
      expect(events.map(({ body }) => JSON.parse(body))).toMatchObject(
        events.map(({ type, createdAt }, at) => ({
          type,
          created_at: createdAt,
          data: { sessionId, sequence: at + 1 },
        })),
      );
      expect(sequence).toBe(events.length);
      expect(
        events.filter((event) => event.dueAt !== undefined || event.dueShard !== undefined),
        'dispatched events that are due',
      ).toEqual([]);

      expect(evidence?.authorizedAt).toBe(events.find(({ type }) => type === 'session.payment.processing')?.createdAt);
      expect(session.cancelRequestedAt !== undefined).toBe(expected.cancelRequested);
      const work: DueWork | undefined =
        status === 'pending' ? 'expiry' : expected.cancelRequested ? 'cancellation' : 'debit';
      expect({ dueShard, dueAt }).toEqual(expected.dueAt === undefined ? {} : due(work, sessionId, expected.dueAt));
      expect(session.debit?.submittedAt).toBe(
        expected.submittedAt === undefined ? undefined : toIso(expected.submittedAt),
      );
      expect(debit?.debit?.submittedAt, 'the bank has the debit that the session has').toBe(session.debit?.submittedAt);
      expect(debit?.dueAt).toBe(expected.outcomeAt === undefined ? undefined : toIso(expected.outcomeAt));
    }),
  );
  const sessions = await Promise.all(ids.map(service.session));
  const paying = sessions.filter(
    (session) => session.status === 'processing' || (session.status === 'succeeded' && !session.return),
  );
  const [first] = sessions;
  const claimant = first && (await getClaimingSessionId(database, first));
  if (model.guard) {
    expect(paying.length).toBeLessThanOrEqual(1);
    expect(claimant).toBe(paying[0]?.sessionId);
  } else expect(claimant).toBeUndefined();
}

type Act = (model: Model, real: Real, expected: Expected, sessionId: string) => Promise<void>;

/** A command about the session at `index`: does the same to the model and to the service, and compares. */
function about(index: number, name: string, act: Act): fc.AsyncCommand<Model, Real> {
  return {
    check: (model) => index < model.sessions.length,
    async run(model, real) {
      const [expected, sessionId] = [model.sessions[index], real.ids[index]];
      if (!expected || sessionId === undefined) throw new Error('no such session');
      await act(model, real, expected, sessionId);
      await carryEvents(real);
      await verify(model, real);
    },
    toString: () => `${name} ${index}`,
  };
}

/** The stream carries what is new in the outbox to the dispatch; the debit's ticket waits for the command that delivers it. */
async function carryEvents({ service, ids }: Real): Promise<void> {
  const events = (await Promise.all(ids.map(service.events))).flat();
  await Promise.all(
    events.filter(({ dueShard }) => dueShard !== undefined).map(({ eventId }) => service.dispatch(eventId)),
  );
}

const create: fc.AsyncCommand<Model, Real> = {
  check: (model) => model.sessions.length < 2,
  async run(model, real) {
    real.ids.push(await real.service.create('INV-1043'));
    const expiresAt = model.now + linkLifetime;
    model.sessions.push({
      status: 'pending',
      expiresAt,
      dueAt: expiresAt,
      outcomeAt: undefined,
      opened: false,
      attempts: 0,
      cancelRequested: false,
      voided: false,
      returned: false,
      events: [],
    });
    await verify(model, real);
  },
  toString: () => 'create',
};
const open = (index: number) =>
  about(index, 'open', async (model, { service }, expected, id) => {
    model.open(expected);
    await service.open(id);
  });
const connectBank = (index: number, user: SandboxUser) =>
  about(index, `connect ${user}`, async (model, { service }, expected, id) => {
    model.connect(expected, user);
    await service.connectBank(id, user);
  });
const authorize = (index: number, times: number) =>
  about(index, `authorize ${times} times`, async (model, { service }, expected, id) => {
    model.authorize(expected);
    await Promise.all(Array.from({ length: times }, () => service.authorize(id)));
  });
const cancel = (index: number, bankIsSilent: boolean) =>
  about(index, bankIsSilent ? 'cancel in silence' : 'cancel', async (model, { service }, expected, id) => {
    model.cancel(expected, bankIsSilent);
    await service.cancel(id, bankIsSilent ? { voidDebit: async () => ({ result: 'unknown' }) } : {});
  });
const submit = (index: number, times: number) =>
  about(index, `submit ${times} times`, async (model, { service }, expected, id) => {
    model.submit(expected);
    await Promise.all(Array.from({ length: times }, () => service.submit(id)));
  });
/** Either may come first; the session tells which did. What submits also finishes a cancellation that was requested before. */
const submitAndCancel = (index: number) =>
  about(index, 'submit and cancel', async (model, { service }, expected, id) => {
    await Promise.all([service.submit(id), service.cancel(id)]);
    const { debit, status } = await service.session(id);
    const submitted = debit !== undefined || status === 'failed';
    const submissionCameFirst = submitted !== expected.cancelRequested;
    if (submissionCameFirst) model.submit(expected);
    model.cancel(expected, false);
    if (!submissionCameFirst) model.submit(expected);
  });
const settle = (index: number, times: number) =>
  about(index, `settle ${times} times`, async (model, { service }, expected, id) => {
    model.settle(expected);
    await Promise.all(Array.from({ length: times }, () => service.settle(id)));
  });
const sweep: fc.AsyncCommand<Model, Real> = {
  check: () => true,
  async run(model, real) {
    model.sweep();
    await real.service.sweep();
    await carry(real.service);
    await carryEvents(real);
    await verify(model, real);
  },
  toString: () => 'sweep',
};
const wait = (milliseconds: number): fc.AsyncCommand<Model, Real> => ({
  check: () => true,
  async run(model, real) {
    real.service.clock.now = model.now += milliseconds;
    await verify(model, real);
  },
  toString: () => `wait ${milliseconds}`,
});

const index = fc.constantFrom(0, 1);
const payer = fc.constantFrom<SandboxUser>(
  'user_good',
  'user_late_return',
  'user_insufficient_funds',
  'user_stuck',
  'user_sent',
  'user_processor_error',
);
const times = fc.constantFrom(1, 3);
const likely = [
  fc.tuple(index, payer).map(([at, user]) => connectBank(at, user)),
  fc.tuple(index, times).map(([at, count]) => authorize(at, count)),
  fc.tuple(index, times).map(([at, count]) => submit(at, count)),
  fc.tuple(index, times).map(([at, count]) => settle(at, count)),
  fc.constantFrom(1, outcomeDelay, outcomeDelay, ticketGrace).map(wait),
  fc.constant(create),
];
const unlikely = [
  fc.constant(sweep),
  index.map(open),
  index.map((at) => connectBank(at, 'user_bad')),
  index.map((at) => connectBank(at, 'user_bank_down')),
  fc.tuple(index, fc.boolean()).map(([at, silent]) => cancel(at, silent)),
  index.map(submitAndCancel),
  fc.constantFrom(sessionLifetime, linkLifetime).map(wait),
];
const commands = fc.commands([...likely, ...likely, ...unlikely], { maxCommands: 40, size: 'max' });
/** The way that the first session goes if nothing comes between, with the second ready to pay the same invoice. */
const ready = [create, create, connectBank(1, 'user_good')];
const straight = (user: SandboxUser) => [
  connectBank(0, user),
  authorize(0, 1),
  submit(0, 1),
  wait(outcomeDelay),
  settle(0, 1),
  wait(outcomeDelay),
  settle(0, 1),
];
/** How far that goes before chance takes over. */
const beginning = fc
  .tuple(payer, fc.nat(straight('user_good').length))
  .map(([user, steps]) => [...ready, ...straight(user).slice(0, steps)]);
type Commands = fc.AsyncCommand<Model, Real>[];
/** What has to be among the runs, whatever chance does. */
const certain: [Commands, Commands, boolean][] = [
  [[...ready, ...straight('user_late_return')], [authorize(1, 1)], true],
  [[...ready, ...straight('user_good')], [authorize(1, 3), cancel(0, false), authorize(1, 1)], true],
  [[...ready, ...straight('user_insufficient_funds')], [sweep, authorize(1, 1), cancel(0, false)], true],
  [
    [...ready, ...straight('user_stuck')],
    [authorize(1, 1), cancel(0, true), wait(ticketGrace), sweep, authorize(1, 1)],
    true,
  ],
  [[...ready, ...straight('user_stuck')], [authorize(1, 1), cancel(0, false)], false],
  [[...ready, ...straight('user_sent').slice(0, 2)], [submitAndCancel(0), sweep, submitAndCancel(0)], true],
  [[...ready, ...straight('user_good').slice(0, 2)], [submitAndCancel(0), settle(0, 3), sweep], true],
  [ready, [connectBank(0, 'user_bank_down'), wait(sessionLifetime), sweep, authorize(1, 1)], false],
];

describe('two sessions of one invoice', () => {
  it('do, whatever happens to them in whatever order, what the model does', async () => {
    // Each run is a year before the one before, so that its sweeps never come upon what an earlier one left.
    let start = Date.parse('9000-11-20T10:00:00.000Z');
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        beginning,
        commands,
        fc.boolean(),
        async (first, chosen: Iterable<fc.AsyncCommand<Model, Real>>, guard) => {
          start -= 365 * day;
          runs += 1;
          const service = startService({
            database: tables.database,
            practice: aPractice({ practiceId: `prc_${runs}`, invoiceGuard: guard }),
          });
          service.clock.now = start;
          const model = new Model(start, guard);
          const real = { service, ids: [], ended: new Map() };
          for (const command of first) await command.run(model, real);
          await fc.asyncModelRun(() => ({ model, real }), chosen);
        },
      ),
      { numRuns: 25, examples: certain },
    );
    expect([...statusesSeen].sort()).toEqual([
      'cancelled expired',
      'cancelled requested_by_practice',
      'failed',
      'pending',
      'processing',
      'succeeded',
      'succeeded returned',
    ]);
  }, 60_000);
});
