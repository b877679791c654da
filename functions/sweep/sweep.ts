import { Fault } from '../domain/fault.ts';
import { second, toIso, type Clock } from '../domain/time.ts';
import { logFault, logInfo } from '../log.ts';
import { oldestOpenCancellation, oldestUnsubmittedDebit, dueSessions } from '../store/sessions/sessions.ts';
import { ticketOfDelivery } from '../messages/webhooks/delivery-tickets.ts';
import type { Publish } from '../messages/webhooks/bus-events.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { dueDeliveries, getDelivery, type DeliveryKey } from '../store/webhooks/deliveries.ts';
import { getEvent, undispatchedEvents } from '../store/webhooks/events.ts';
import { dispatchEvents } from '../webhooks/dispatch.ts';
import { duty, ticketDuty, type Duty } from './duty.ts';

export interface SweepTools {
  readonly database: Database<'sessions' | 'events' | 'deliveries' | 'webhookEndpoints'>;
  readonly publish: Publish;
  readonly sendExpirations: SendTickets;
  readonly sendDebits: SendTickets;
  readonly sendDeliveries: SendTickets;
  readonly clock: Clock;
  readonly settlements: Duty;
}

/** A round that starts at the deadline still fits into the function's timeout. */
const runTime = 35 * second;

export async function sweep(tools: SweepTools): Promise<void> {
  const deadline = tools.clock() + runTime;
  const results = duties(tools).map((perform) => perform(tools.clock, deadline));
  const failures = await Promise.all([watch(tools), ...results]);
  const failed = failures.reduce((sum, count) => sum + count, 0);
  if (failed > 0) throw new Fault(`${failed} due rows failed`);
}

async function watch({ database, clock }: SweepTools): Promise<number> {
  try {
    const [debit, cancellation] = await Promise.all([
      oldestUnsubmittedDebit(database),
      oldestOpenCancellation(database),
    ]);
    const secondsSince = (time: string | undefined) =>
      time === undefined ? 0 : Math.max(0, clock() - Date.parse(time)) / second;
    logInfo('watched', {}, [
      { metric: 'OldestUnsubmittedDebit', value: secondsSince(debit) },
      { metric: 'OldestOpenCancellation', value: secondsSince(cancellation) },
    ]);
    return 0;
  } catch (error) {
    logFault('watch failed', error);
    return 1;
  }
}

function duties(tools: SweepTools): Duty[] {
  const { database, sendExpirations, sendDebits, settlements } = tools;
  return [
    ticketDuty(dueSessions(database, 'expiry'), sendExpirations),
    ticketDuty(dueSessions(database, 'debit'), sendDebits),
    ticketDuty(dueSessions(database, 'cancellation'), sendDebits),
    duty(undispatchedEvents(database), ({ eventId }) => republish(tools, eventId)),
    duty(dueDeliveries(database), (key) => retryDelivery(tools, key)),
    settlements,
  ];
}

async function republish(tools: SweepTools, eventId: string): Promise<void> {
  const { database, publish, clock } = tools;
  const event = await getEvent(database, eventId);
  if (event?.dueShard === undefined) return;
  const [accepted] = await publish([event]);
  if (!accepted) throw new Fault(`the bus rejected ${eventId}`);
  const [dispatched] = await dispatchEvents(tools, [event], clock());
  if (dispatched?.status === 'rejected') throw dispatched.reason;
}

async function retryDelivery({ database, sendDeliveries, clock }: SweepTools, key: DeliveryKey): Promise<void> {
  const delivery = await getDelivery(database, key);
  // An attempt recorded meanwhile has set a later time.
  if (delivery?.status !== 'pending' || (delivery.nextAttemptAt ?? '') > toIso(clock())) return;
  await sendDeliveries([ticketOfDelivery(delivery, delivery.attempts + 1)]);
}
