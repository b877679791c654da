import {
  debitTicket,
  deliveryTicket,
  expiryTicket,
  settlementTicket,
} from '../../functions/contract/webhooks/tickets.ts';
import { evidenceStreamHandler, batchHandler, ticketHandler } from '../../functions/messages/batch-handlers.ts';
import type { Publish } from '../../functions/messages/webhooks/event-bus.ts';
import { archiveEvidence } from '../../functions/payments/archive-evidence.ts';
import { comparePayment, settlePayment } from '../../functions/payments/settle.ts';
import { advancePayment } from '../../functions/payments/submit.ts';
import { expireSession } from '../../functions/sessions/cancel.ts';
import type { Database } from '../../functions/store/database.ts';
import { finishProcessorEvent } from '../../functions/store/payments/processor-events.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import { deliver } from '../../functions/webhooks/deliver.ts';
import { publishRecords } from '../../functions/webhooks/outbox.ts';
import type { Post, PostResult } from '../../functions/webhooks/post.ts';
import type { Bank, BankTools } from './bank.ts';
import type { Item } from './database.ts';
import { createQueue, createStream, refusals, type Queue } from './queues.ts';
import type { World } from './world.ts';

interface Parts {
  readonly world: World;
  readonly database: Database;
  readonly openBank: (tools: BankTools) => Promise<Bank>;
  readonly post: (post: Post) => Promise<PostResult>;
  /** The evidence archive, keyed by session. */
  readonly archive: Map<string, object>;
}

/** The queues, the streams, the bus and the schedule, each with the consumer that a trigger of the stack wires to it. */
export async function startService({ world, database, openBank, post, archive }: Parts) {
  const { clock } = world;
  const work: { bank?: Bank } = {};
  const bankOf = () => {
    if (!work.bank) throw new Error('the bank is not open yet');
    return work.bank;
  };

  const debits: Queue = createQueue(
    world,
    'debits',
    ticketHandler(debitTicket, (ticket) =>
      advancePayment({ database, processor: bankOf().processor }, ticket, clock()),
    ),
  );
  const settlements: Queue = createQueue(
    world,
    'settlements',
    ticketHandler(settlementTicket, async (ticket) => {
      const { sessionId, comparison, processorEventId } = ticket;
      const now = clock();
      const tools = { database, processor: bankOf().processor, sendSettlements: settlements.send };
      if (comparison === undefined) await settlePayment(tools, ticket, now);
      else await comparePayment(tools, { sessionId, comparison }, now);
      if (processorEventId !== undefined) await finishProcessorEvent(database, { sessionId, processorEventId }, now);
    }),
  );
  const expirations = createQueue(
    world,
    'expirations',
    ticketHandler(expiryTicket, (ticket) => expireSession({ database }, ticket, clock())),
  );
  const deliveries: Queue = createQueue(
    world,
    'deliveries',
    batchHandler(deliveryTicket, (tickets) =>
      deliver(
        {
          database,
          post,
          clock,
          random: world.random,
          pause: world.pause,
          sendDeliveries: deliveries.send,
          notifyOwner: async () => world.call('tell the owner', async () => undefined, refusals),
        },
        tickets,
      ),
    ),
  );
  const bank = (work.bank = await openBank({ world, database, sendSettlements: settlements.send }));

  /** A rule of the bus sends authorized sessions to the debits. */
  const publish: Publish = (events) =>
    world.call(
      'put events on the bus',
      async (spoil) => {
        const accepted = events.map(() => !world.fails(1));
        if (accepted.includes(false)) spoil();
        for (const [index, { type, sessionId, eventId, practiceId }] of events.entries())
          if (accepted[index] && type === 'session.payment.processing')
            debits.add(JSON.stringify({ eventId, sessionId, practiceId }));
        return accepted;
      },
      { throttled: () => events.map(() => false), silent: () => events.map(() => false) },
    );
  const outbox = { database, publish, sendDeliveries: deliveries.send, park: async () => undefined, clock };
  const events = createStream(
    world,
    'publish events',
    async ({ Records }) => {
      const itemIdentifier = await publishRecords(outbox, Records);
      return { batchItemFailures: itemIdentifier === undefined ? [] : [{ itemIdentifier }] };
    },
    { forgets: true },
  );
  // An hourly comparison, which the simulation leaves out, makes the copies that the stream forgot.
  const evidence = createStream(
    world,
    'archive evidence',
    evidenceStreamHandler((session) =>
      archiveEvidence(
        {
          database,
          archive: {
            put: (row) =>
              world.call('put into the archive', async () => void archive.set(row.sessionId, row), refusals),
            has: async ({ sessionId }) => archive.has(sessionId),
          },
        },
        session,
      ),
    ),
    { forgets: false },
  );
  const notifications: (() => Promise<void>)[] = [];
  world.sources.push({
    ready: () => notifications.length > 0,
    begin() {
      const notify = world.pick(notifications);
      if (!notify) return;
      notifications.splice(notifications.indexOf(notify), 1);
      world.start('notification', notify, ({ how }) => {
        // The processor repeats what was not accepted, and sometimes also what was.
        if (how !== 'done' || world.fails(1)) notifications.push(notify);
      });
    },
  });

  return {
    bank,
    async pollNotifications(): Promise<void> {
      notifications.push(...(await bank.notifications()));
    },
    queues: { debits, settlements, expirations, deliveries },
    /** Takes a new row of the outbox, as the stream's filters do. */
    onEvent(image: Item): void {
      events.add(image);
      if (bank.mode === 'live' && image['type']?.S === 'session.payment.processing') evidence.add(image);
    },
    sweep: () =>
      sweep({
        database,
        clock,
        publish,
        sendExpirations: expirations.send,
        sendDebits: debits.send,
        sendDeliveries: deliveries.send,
        settlements: bank.settlements,
      }),
    isQuiet: () =>
      [debits, settlements, expirations, deliveries, events, evidence].every((each) => each.isEmpty()) &&
      notifications.length === 0,
    nextMessageAt: () => Math.min(...[debits, settlements, expirations, deliveries].map((each) => each.nextAt())),
  };
}

export type Service = Awaited<ReturnType<typeof startService>>;
