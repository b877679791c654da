import { Problem } from '../../functions/contract/problem.ts';
import { offeredIn } from '../../functions/domain/payments/authorization.ts';
import type { RandomBytes } from '../../functions/domain/identifier.ts';
import { isSandboxUser } from '../../functions/domain/payments/sandbox-bank.ts';
import { day, hour, minute } from '../../functions/domain/time.ts';
import { closePractice, resumePractice, suspendPractice } from '../../functions/practices/suspend-and-close.ts';
import { authorizePayment } from '../../functions/sessions/authorize.ts';
import { cancelSessionOnce } from '../../functions/sessions/cancel.ts';
import { createSession } from '../../functions/sessions/create.ts';
import { erasePatient } from '../../functions/sessions/erase-patient.ts';
import { findByToken, findOwnSession, type LinkHolder } from '../../functions/sessions/find.ts';
import { extendSession, openSession } from '../../functions/sessions/open.ts';
import { refundSession } from '../../functions/sessions/refund.ts';
import { replaceLink, requestLink } from '../../functions/sessions/links.ts';
import { advanceSession, simulateSession } from '../../functions/sessions/simulate.ts';
import type { Database } from '../../functions/store/database.ts';
import { getExistingPractice } from '../../functions/store/practices/practices.ts';
import { listDeliveries } from '../../functions/webhooks/list-deliveries.ts';
import { redrive } from '../../functions/webhooks/redrive.ts';
import { replayDeliveries, resendEvent, testEndpoint } from '../../functions/webhooks/resend.ts';
import { rotateSecret } from '../../functions/webhooks/signing-secrets.ts';
import { disableEndpoint, enableEndpoint, updateEndpoint } from '../../functions/webhooks/webhook-endpoints.ts';
import type { Receiver } from './receivers.ts';
import type { Service } from './service.ts';
import type { World } from './world.ts';

/** What the practice's backend and its patients know. */
interface KnownSession {
  readonly practiceId: string;
  readonly sessionId: string;
  /** Newest last. */
  readonly tokens: string[];
  erased: boolean;
}

export interface KnownRefund {
  readonly sessionId: string;
  readonly refundId: string;
  readonly cents: number;
}

export interface Cast {
  readonly world: World;
  readonly database: Database;
  readonly service: Service;
  readonly randomBytes: RandomBytes;
  readonly practiceIds: readonly string[];
  readonly receivers: Receiver[];
  readonly sessions: KnownSession[];
  readonly refunds: KnownRefund[];
}

const author = { kind: 'operator' } as const;
const amountCents = 18_250;
const hostedPageUrl = 'https://pay.example.com';
const invoices = ['INV-1', ' INV-1 ', 'INV-2'];

/** Requests that people and programs sometimes send twice at once. */
const sentTwice = new Set(['create', 'pay', 'authorize', 'cancel', 'refund']);

/** What a person or a program does in one step. What it starts goes on in later steps. */
export function actionsOf(cast: Cast): Readonly<Record<string, () => void | Promise<void>>> {
  const { world, database, service, randomBytes, practiceIds, receivers, sessions, refunds } = cast;
  const { clock, random, chance, pick } = world;
  const { bank } = service;
  const tools = { database, randomBytes, hostedPageUrl, mode: bank.mode };
  const payments = { database, processor: bank.processor };
  const repeatable: (() => void)[] = [];

  /** Callers may send the same request again, as they do when it was not answered. */
  function request<Result>(
    name: string,
    work: () => Promise<Result>,
    answered: (result: Result) => void = () => undefined,
  ): void {
    const send = () =>
      world.start(name, work, (ending, { hurt }) => {
        if (ending.how === 'done') answered(ending.result);
        if (ending.how === 'threw' && !hurt && !(ending.error instanceof Problem))
          world.violations.add(`${name} failed although nothing failed around it: ${String(ending.error)}`);
      });
    repeatable.push(send);
    send();
    if (sentTwice.has(name) && chance(0.2)) send();
  }

  /** Mostly one of the newest, so that lives are long. */
  const aSession = () => pick(chance(0.7) ? sessions.slice(-2) : sessions);
  const own = ({ practiceId, sessionId }: KnownSession) => findOwnSession({ database }, { practiceId, sessionId });

  /** A patient follows a link, mostly the newest. */
  function patient(name: string, known: KnownSession | undefined, act: (holder: LinkHolder) => Promise<unknown>): void {
    if (!known) return;
    const token = chance(0.85) ? known.tokens.at(-1) : pick(known.tokens);
    request(
      name,
      async () => {
        const wasReplaced = token !== known.tokens.at(-1);
        const { erased } = known;
        const session = await findByToken({ database }, token);
        await act({ session, practice: await getExistingPractice(database, known.practiceId) });
        // Opening an ended session only shows it.
        return wasReplaced || (erased && name !== 'open');
      },
      (isDead) => {
        if (isDead)
          world.violations.add(`${name} of ${known.sessionId} succeeded by a link that was replaced or erased before`);
      },
    );
  }

  async function accept({ session, practice }: LinkHolder): Promise<void> {
    const authorizationId = offeredIn(session, 'en', clock())?.id ?? 'none';
    const source = { address: '203.0.113.9', userAgent: 'simulation' };
    await authorizePayment({ database }, { session, practice, authorizationId, source }, clock());
  }
  async function forward(milliseconds: number): Promise<void> {
    world.pass(milliseconds);
  }

  function ofReceiver(
    name: string,
    act: (
      key: { practiceId: string; endpointId: string; author: typeof author },
      receiver: Receiver,
    ) => Promise<unknown>,
  ): void {
    const receiver = pick(receivers);
    if (receiver)
      request(name, () => act({ practiceId: receiver.practiceId, endpointId: receiver.endpointId, author }, receiver));
  }

  const deliveryTools = { ...tools, sendDeliveries: service.queues.deliveries.send };
  const practice = () => pick(practiceIds) ?? '';

  return {
    create() {
      const practiceId = practice();
      const order = chance(0.5) ? `order-${Math.floor(random() * 1e9)}` : undefined;
      const body = {
        invoiceId: pick(invoices) ?? '',
        amountCents,
        patient: { firstName: 'Ada', lastName: 'Okafor' },
        metadata: { location: 'north', ...(order !== undefined && { order }) },
      };
      request(
        'create',
        () => createSession(tools, { practiceId, body, idempotencyKey: order }, clock()),
        ({ response: { sessionId, hostedUrl } }) => {
          const known = { practiceId, sessionId, tokens: [hostedUrl.split('/s/')[1] ?? ''], erased: false };
          if (!sessions.some((each) => each.sessionId === sessionId)) sessions.push(known);
        },
      );
    },
    connect: () => patient('connect', aSession(), (holder) => bank.connect(holder, pick(bank.users) ?? '')),
    authorize: () => patient('authorize', aSession(), accept),
    pay: () =>
      patient('pay', aSession(), async (holder) =>
        accept({ ...holder, session: await bank.connect(holder, pick(bank.users) ?? '') }),
      ),
    open: () => patient('open', aSession(), (holder) => openSession({ database }, holder, clock())),
    extend: () => patient('extend', aSession(), (holder) => extendSession({ database }, holder, clock())),
    requestLink: () => patient('request a link', aSession(), (holder) => requestLink({ database }, holder, clock())),
    cancel() {
      const known = aSession();
      const idempotencyKey = chance(0.5) ? `cancel-${Math.floor(random() * 1e9)}` : undefined;
      if (known)
        request('cancel', async () =>
          cancelSessionOnce(payments, { session: await own(known), idempotencyKey }, clock()),
        );
    },
    replaceLink() {
      const known = aSession();
      if (!known) return;
      request(
        'replace the link',
        () => replaceLink(tools, { practiceId: known.practiceId, sessionId: known.sessionId, author }, clock()),
        ({ hostedUrl }) => void known.tokens.push(hostedUrl.split('/s/')[1] ?? ''),
      );
    },
    refund() {
      const known = aSession();
      const cents = chance(0.5) ? amountCents : 5000;
      const refundId = `refund-${Math.floor(random() * 1e9)}`;
      if (!known) return;
      refunds.push({ sessionId: known.sessionId, refundId, cents });
      const body = { refundId, amountCents: cents, reason: 'Paid twice' };
      request('refund', async () => refundSession(payments, await own(known), body, clock()));
    },
    erase() {
      const known = aSession();
      if (!known) return;
      const input = { practiceId: known.practiceId, sessionId: known.sessionId, author };
      request(
        'erase',
        () => erasePatient(tools, input, clock()),
        () => void (known.erased = true),
      );
    },
    simulate() {
      const known = aSession();
      const user = pick(bank.users) ?? '';
      const as = chance(0.2) ? 'expire' : user;
      if (!known || !bank.sandbox || !(as === 'expire' || isSandboxUser(as))) return;
      const source = { address: '203.0.113.9', userAgent: 'simulation', simulated: true } as const;
      const input = { practiceId: known.practiceId, sessionId: known.sessionId, as, source } as const;
      const sandbox = { ...payments, ...bank.sandbox };
      request('simulate', () => simulateSession(sandbox, input, clock()));
    },
    advance() {
      const known = aSession();
      if (!known || !bank.sandbox) return;
      const sandbox = { ...payments, ...bank.sandbox };
      request('advance', async () => advanceSession(sandbox, await own(known), clock()));
    },
    repeat: () => pick(repeatable)?.(),
    disable: () => ofReceiver('disable', (key) => disableEndpoint(tools, key, clock())),
    enable: () => ofReceiver('enable', (key) => enableEndpoint(tools, key, clock())),
    move: () =>
      ofReceiver('move', (key) =>
        updateEndpoint(
          { ...tools, allowLoopbackWebhooks: false },
          { ...key, url: `https://hooks.example.com/${Math.floor(random() * 1e6)}` },
          clock(),
        ),
      ),
    rotate: () =>
      ofReceiver('rotate', async (key, { secrets }) => {
        const { signingSecret } = await rotateSecret(tools, { ...key, keepOldHours: 24 }, clock());
        secrets.add(signingSecret);
      }),
    resend: () =>
      ofReceiver('resend', async (key, { received }) => {
        const eventId = pick(received)?.eventId ?? 'evt_none';
        await resendEvent(deliveryTools, { ...key, eventId }, clock());
      }),
    replay: () =>
      ofReceiver('replay', (key) => replayDeliveries(deliveryTools, { ...key, since: clock() - hour }, clock())),
    test: () => ofReceiver('test', (key) => testEndpoint(deliveryTools, key, clock())),
    suspend() {
      const practiceId = practice();
      request('suspend', () => suspendPractice(tools, { practiceId, author }, clock()));
    },
    resume() {
      const practiceId = practice();
      request('resume', () => resumePractice(tools, { practiceId, author }, clock()));
    },
    close() {
      const practiceId = practice();
      request('close', () => closePractice({ ...tools, pause: world.pause }, { practiceId, author }, clock()));
    },
    async redrive() {
      const letters = Object.entries(service.queues).flatMap(([name, queue]) =>
        queue.deadLetters.splice(0).map((body, index) => ({
          name,
          queue,
          letter: { messageId: `${name} ${index}`, receipt: body, body, groupId: undefined, sentAt: 0 },
        })),
      );
      // One message at a time: the product waits between them in real time.
      const [first] = letters;
      for (const { queue, letter } of letters.slice(1)) queue.deadLetters.push(letter.body);
      if (!first) return;
      let left = [first.letter];
      const target = `https://queues.example.com/${first.name}`;
      const deadLetterMessages = {
        receive: async () => left,
        send: async (_: string, { body }: { body: string }) => first.queue.add(body),
        remove: async () => void (left = []),
      };
      const queues = [{ name: first.name, kind: 'ticket', queueUrl: `${target}-dead`, target }] as const;
      await redrive({ database, deadLetterQueues: queues, deadLetterMessages }, {}, world.now());
    },
    snoop() {
      const known = aSession();
      const other = practiceIds.find((each) => each !== known?.practiceId);
      const stranger = receivers.find(({ practiceId }) => practiceId === other);
      if (!known || other === undefined || !stranger) return;
      const { sessionId } = known;
      const attempts: Record<string, () => Promise<unknown>> = {
        'read a session': () => findOwnSession({ database }, { practiceId: other, sessionId }),
        'replace a link': () => replaceLink(tools, { practiceId: other, sessionId, author }, clock()),
        'erase a patient': () => erasePatient(tools, { practiceId: other, sessionId, author }, clock()),
        'list deliveries': () => listDeliveries({ database }, { practiceId: other, sessionId } as never),
        'resend an event': () =>
          resendEvent(
            deliveryTools,
            { practiceId: other, endpointId: stranger.endpointId, author, eventId: `evt_${sessionId.slice(4)}_1` },
            clock(),
          ),
      };
      const [what = '', attempt] = pick(Object.entries(attempts)) ?? [];
      if (attempt)
        request(`snoop: ${what}`, attempt, () => world.violations.add(`${other} could ${what} of ${known.practiceId}`));
    },
    act: () => bank.act(),
    tick() {
      world.pass(minute);
      request('sweep', service.sweep);
    },
    reconcile() {
      if (bank.reconcile) request('reconcile', bank.reconcile);
    },
    waitForBank: () => forward(3000),
    waitForTicket: () => forward(2 * minute),
    waitForSession: () => forward(31 * minute),
    waitForDay: () => forward(day),
    waitForLink: () => forward(8 * day),
  };
}
