import { randomBytes, randomUUID } from 'node:crypto';
import { Problem } from '../../functions/contract/problem.ts';
import { deliveryTicket, type DeliveryTicket } from '../../functions/contract/webhooks/tickets.ts';
import { offeredIn } from '../../functions/domain/payments/authorization.ts';
import { type EventRow, sessionEventId } from '../../functions/domain/webhooks/event.ts';
import type { Practice } from '../../functions/domain/practices/practice.ts';
import type { SandboxUser } from '../../functions/domain/payments/sandbox-bank.ts';
import { withExpiry, type Session } from '../../functions/domain/sessions/session.ts';
import type { Publish } from '../../functions/messages/webhooks/event-bus.ts';
import type { SendTickets } from '../../functions/messages/queues.ts';
import type { Cancellation } from '../../functions/payments/cancel.ts';
import { settlePayment } from '../../functions/payments/settle.ts';
import { advancePayment, advanceOutcome } from '../../functions/payments/submit.ts';
import type { DebitProcessor } from '../../functions/processors/processor.ts';
import { authorizePayment, namePayer } from '../../functions/sessions/authorize.ts';
import { attemptCancellation } from '../../functions/sessions/cancel.ts';
import { createSession } from '../../functions/sessions/create.ts';
import { extendSession, openSession } from '../../functions/sessions/open.ts';
import { refundSession } from '../../functions/sessions/refund.ts';
import { replaceLink, requestLink } from '../../functions/sessions/links.ts';
import { simulateSession } from '../../functions/sessions/simulate.ts';
import type { Database } from '../../functions/store/database.ts';
import { getEvents } from '../../functions/store/webhooks/events.ts';
import { getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { replace } from '../../functions/store/rows.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import { publishEvents } from '../../functions/webhooks/outbox.ts';
import type { Post, PostResult } from '../../functions/webhooks/post.ts';
import { aPractice } from '../support/examples.ts';
import { deliverOne, deliveryTools, dispatchOne, sweepTools } from '../support/tools.ts';
import { sandboxBank, type TestBank } from './banks.ts';
import { crashAt, type Crash } from './crash.ts';

/** More than any test's session has. */
const mostEvents = 20;

interface Traffic {
  readonly bus: EventRow[];
  readonly debits: string[];
  readonly settlements: { readonly sessionId: string; readonly at: number }[];
  readonly deliveries: { readonly ticket: DeliveryTicket; readonly at: number }[];
}

export interface ServiceOptions {
  readonly database: Database;
  readonly bank?: TestBank;
  readonly practice?: Practice;
  readonly crash?: Crash;
  readonly post?: (post: Post) => Promise<Partial<PostResult>>;
  readonly loses?: (message: object) => boolean;
  /** What is on its way, including to other processes. */
  readonly traffic?: Traffic;
}

async function accepted(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

export function startService({
  database,
  bank = sandboxBank,
  practice = aPractice(bank.practice),
  crash = crashAt(0, 'before'),
  post = async () => ({ statusCode: 204 }),
  loses = () => false,
  traffic = { bus: [], debits: [], settlements: [], deliveries: [] },
}: ServiceOptions) {
  const clock = { now: 0 };
  const sender =
    (accept: (body: object, at: number) => void): SendTickets =>
    async (tickets) => {
      for (const { body, delay = 0 } of tickets)
        await crash.guard(async () => void (loses(body) || accept(body, clock.now + delay)));
    };
  const sessionOf = (body: object) => (body as { sessionId: string }).sessionId;
  const sendDebits = sender((body) => traffic.debits.push(sessionOf(body)));
  const sendSettlements = sender((body, at) => traffic.settlements.push({ sessionId: sessionOf(body), at }));
  const sendDeliveries = sender((body, at) => traffic.deliveries.push({ ticket: deliveryTicket.parse(body), at }));
  const publish: Publish = (events) =>
    crash.guard(async () => {
      traffic.bus.push(...events.filter(({ eventId }) => !loses({ eventId })));
      return events.map(() => true);
    });
  const processor = bank.processor(database, sendSettlements, crash);
  const tools = { database, processor };
  const source = { address: '203.0.113.9', userAgent: 'test' };
  const sandbox = () => {
    const found = bank.sandbox?.(database);
    if (!found) throw new Error('only the sandbox simulates');
    return found;
  };
  const session = (sessionId: string): Promise<Session> => getExistingSession(database, sessionId);
  const holder = async (sessionId: string) => ({ session: await session(sessionId), practice });

  return {
    clock,
    traffic,
    database,
    bank,
    practice,
    processor,
    tools,
    session,

    async create(invoiceId: string): Promise<string> {
      await replace(database, 'practices', practice);
      const body = { invoiceId, amountCents: 18_250, patient: { firstName: 'Ada', lastName: 'Okafor' } };
      const createTools = { database, randomBytes, mode: bank.mode, hostedPageUrl: 'https://pay.example.com' } as const;
      const { response } = await createSession(createTools, { practiceId: practice.practiceId, body }, clock.now);
      return response.sessionId;
    },

    async open(sessionId: string): Promise<Session> {
      return openSession({ database }, await holder(sessionId), clock.now);
    },

    /** False if it was refused. */
    async extend(sessionId: string): Promise<boolean> {
      return accepted(extendSession({ database }, await holder(sessionId), clock.now));
    },

    /** False if it was refused. */
    async requestLink(sessionId: string): Promise<boolean> {
      return accepted(requestLink({ database }, await holder(sessionId), clock.now));
    },

    async connectBank(sessionId: string, user: SandboxUser): Promise<boolean> {
      return accepted(bank.connect(database, await holder(sessionId), user, clock.now));
    },

    async namePayer(sessionId: string, payerName: string): Promise<boolean> {
      return accepted(namePayer({ database }, { ...(await holder(sessionId)), payerName }, clock.now));
    },

    async replaceLink(sessionId: string): Promise<void> {
      const linkTools = { database, randomBytes, hostedPageUrl: 'https://pay.example.com' };
      const input = { practiceId: practice.practiceId, sessionId, author: { kind: 'operator' } } as const;
      await replaceLink(linkTools, input, clock.now);
    },

    async authorize(sessionId: string): Promise<boolean> {
      const { session: current } = await holder(sessionId);
      const authorizationId = offeredIn(current, 'en', clock.now)?.id ?? 'none';
      return accepted(
        authorizePayment({ database }, { session: current, practice, authorizationId, source }, clock.now),
      );
    },

    async cancel(sessionId: string, answers: Partial<DebitProcessor> = {}): Promise<Cancellation> {
      const cancelTools = { database, processor: { ...processor, ...answers } };
      return attemptCancellation(cancelTools, withExpiry(await session(sessionId), clock.now), clock.now);
    },

    /** False if it was refused. */
    async refund(sessionId: string, amountCents: number): Promise<boolean> {
      const body = { refundId: randomUUID(), amountCents, reason: 'Paid twice' };
      return accepted(refundSession(tools, await session(sessionId), body, clock.now));
    },

    /** False if it was refused. */
    async simulate(sessionId: string, as: SandboxUser | 'expire'): Promise<boolean> {
      const input = { practiceId: practice.practiceId, sessionId, as, source: { ...source, simulated: true } } as const;
      return accepted(simulateSession({ ...tools, ...sandbox() }, input, clock.now));
    },
    /** Performs the outcome that follows those in `seen`. */
    advance: (seen: Session): Promise<boolean> => advanceOutcome({ ...tools, ...sandbox() }, seen, clock.now),

    submit: (sessionId: string): Promise<void> => advancePayment(tools, { sessionId }, clock.now),
    async settle(sessionId: string): Promise<void> {
      await settlePayment(tools, { sessionId }, clock.now);
    },
    /** The records that the stream delivers. */
    publish: (events: readonly EventRow[]) =>
      publishEvents({ database, publish, sendDeliveries, clock: () => clock.now }, events),
    dispatch: (eventId: string): Promise<void> => dispatchOne({ database, sendDeliveries }, eventId, clock.now),
    deliver: (ticket: DeliveryTicket): Promise<void> =>
      deliverOne(
        deliveryTools(database, {
          sendDeliveries,
          clock: () => clock.now,
          post: (sent) => crash.guard(async () => ({ responseTruncated: false, ...(await post(sent)) })),
        }),
        ticket,
      ),
    async sweep(): Promise<void> {
      const settlements = bank.settlements(database, sendSettlements);
      await sweep(sweepTools(database, { publish, sendDebits, sendDeliveries, clock: () => clock.now, settlements }));
      for (const sessionId of await bank.notifications(database, clock.now))
        traffic.settlements.push({ sessionId, at: clock.now });
    },

    async events(sessionId: string, known = 0): Promise<EventRow[]> {
      const ids = Array.from({ length: mostEvents }, (_, index) => sessionEventId(sessionId, known + index + 1));
      const found = await getEvents(database, ids);
      if (found.length === mostEvents) throw new Error('there may be more events');
      return found;
    },
  };
}
export type Service = ReturnType<typeof startService>;

/** What one process does for a payment. */
export type Step = 'authorize' | 'publish' | 'submit' | 'settle' | 'deliver' | 'cancel';

export async function carry(
  service: Service,
  perform: (work: () => Promise<void>, step: Step, eventId?: string) => Promise<void> = (work) => work(),
): Promise<void> {
  const { traffic, clock } = service;
  for (;;) {
    for (const { type, sessionId } of traffic.bus.splice(0))
      if (type === 'session.payment.processing' && sessionId !== undefined) traffic.debits.push(sessionId);
    const works: { readonly step: Step; readonly work: () => Promise<void>; readonly eventId?: string }[] = [
      ...traffic.debits
        .splice(0)
        .map((sessionId) => ({ step: 'submit', work: () => service.submit(sessionId) }) as const),
      ...removeReady(traffic.settlements, clock.now).map(
        ({ sessionId }) => ({ step: 'settle', work: () => service.settle(sessionId) }) as const,
      ),
      ...removeReady(traffic.deliveries, clock.now).map(
        ({ ticket }) => ({ step: 'deliver', work: () => service.deliver(ticket), eventId: ticket.eventId }) as const,
      ),
    ];
    if (works.length === 0) return;
    for (const { step, work, eventId } of works) await perform(work, step, eventId);
  }
}

function removeReady<Message extends { readonly at: number }>(queue: Message[], now: number): Message[] {
  const ready = queue.filter(({ at }) => at <= now);
  queue.splice(0, queue.length, ...queue.filter(({ at }) => at > now));
  return ready;
}
