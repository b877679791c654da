import type { DeliveryTicket } from '../contract/webhooks/tickets.ts';
import type { Delivery } from '../domain/webhooks/delivery.ts';
import type { EventRow } from '../domain/webhooks/event.ts';

export interface Prepared {
  readonly leased: Delivery;
  /** Undefined if the event is no longer stored. */
  readonly event: EventRow | undefined;
}

/** A ticket of a batch until its delivery has ended. */
export interface WaitingDelivery {
  readonly ticket: DeliveryTicket;
  /** Leased, or about to be. */
  readonly isPrepared: boolean;
  readonly readEvent: () => Promise<EventRow | undefined>;
  /** Prepares it once. Never rejects. Undefined if the ticket is stale or its preparation failed. */
  prepare(): Promise<Prepared | undefined>;
  readonly ended: Promise<void>;
  end(outcome?: Promise<void>): void;
  fail(error: unknown): void;
}

export function waitingDelivery(
  ticket: DeliveryTicket,
  readEvent: WaitingDelivery['readEvent'],
  prepare: () => Promise<Prepared | undefined>,
): WaitingDelivery {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let prepared: Promise<Prepared | undefined> | undefined;
  return {
    ticket,
    readEvent,
    get isPrepared() {
      return prepared !== undefined;
    },
    async prepare() {
      prepared ??= prepare().catch((error: unknown) => {
        reject(error);
        return undefined;
      });
      return prepared;
    },
    ended: promise,
    end: resolve,
    fail: reject,
  };
}
