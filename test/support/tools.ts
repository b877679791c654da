import { expiryTicket, type DeliveryTicket } from '../../functions/contract/webhooks/tickets.ts';
import { expireSession } from '../../functions/sessions/cancel.ts';
import type { Database } from '../../functions/store/database.ts';
import { getEvent } from '../../functions/store/webhooks/events.ts';
import { dueOutcomes } from '../../functions/store/payments/sandbox-debits.ts';
import { type SweepTools, ticketDuty } from '../../functions/sweep/sweep.ts';
import { deliver, type EndpointTools } from '../../functions/webhooks/deliver.ts';
import { dispatchEvents, type DispatchTools } from '../../functions/webhooks/dispatch.ts';

/** By default, receivers answer 204, and tickets and messages are lost. */
export function deliveryTools(database: Database, differences: Partial<EndpointTools> = {}): EndpointTools {
  return {
    database,
    pause: async () => {},
    clock: Date.now,
    random: () => 0,
    post: async () => ({ statusCode: 204, responseTruncated: false }),
    sendDeliveries: lost,
    notifyOwner: lost,
    ...differences,
  };
}

/** Delivers a single ticket. Throws if it fails. */
export async function deliverOne(tools: EndpointTools, ticket: DeliveryTicket): Promise<void> {
  const [result] = await deliver(tools, [ticket]);
  if (result?.status === 'rejected') throw result.reason;
}

/** Handles the records that the stream delivers. Throws if it fails. */
export async function dispatchOne(tools: DispatchTools, eventId: string, now: number): Promise<void> {
  const event = await getEvent(tools.database, eventId);
  const [result] = await dispatchEvents(tools, event ? [event] : [], now);
  if (result?.status === 'rejected') throw result.reason;
}

/** By default, the bus accepts every event, sessions expire right away, and other tickets are lost. */
export function sweepTools(database: Database, differences: Partial<SweepTools> = {}): SweepTools {
  return {
    database,
    clock: Date.now,
    publish: async (events) => events.map(() => true),
    sendExpirations: async (tickets) => {
      const { clock = Date.now } = differences;
      await Promise.allSettled(
        tickets.map(({ body }) => expireSession({ database }, expiryTicket.parse(body), clock())),
      );
    },
    sendDebits: lost,
    sendDeliveries: lost,
    settlements: ticketDuty(dueOutcomes(database), lost),
    ...differences,
  };
}

async function lost(): Promise<void> {}
