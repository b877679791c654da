import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Debits } from './debits.ts';
import type { PaymentEvents } from './payment-events.ts';
import type { Sweep } from './sweep.ts';
import type { Webhooks } from './webhooks.ts';

interface Pipelines {
  readonly debits: Debits;
  readonly events: PaymentEvents;
  readonly sweep: Sweep;
  readonly webhooks: Webhooks;
}

/**
 * A queue that failures end in, and what its messages are: `ticket` for the queue `target`; `event` where they name an event that has
 * not been dispatched; `none` where they hold no work, since the sweep finds it in the tables.
 */
export type DeadLetters = {
  readonly queue: Queue;
  /** What it means for people that there is something in it. */
  readonly impact: string;
} & ({ readonly kind: 'ticket'; readonly target: Queue } | { readonly kind: 'event' | 'none' });

/** Every queue that failures end in, by the name of its alarm and of the operator's `redrive --queue`. */
export function deadLettersOf({ debits, events, sweep, webhooks }: Pipelines): Readonly<Record<string, DeadLetters>> {
  return {
    FailedSubmissions: {
      queue: debits.failedSubmissions,
      kind: 'ticket',
      target: debits.submissions,
      impact: 'Patients authorized payments that could not be handed to the processor: they stay processing.',
    },
    FailedSettlements: {
      queue: debits.failedSettlements,
      kind: 'ticket',
      target: debits.settlements,
      impact: 'The processor knows what became of payments, and patients and practices do not: they stay processing.',
    },
    UndeliveredDebits: {
      queue: debits.undelivered,
      kind: 'ticket',
      target: debits.submissions,
      impact: 'Payments that patients authorized wait for the sweep, some two minutes longer than they should.',
    },
    UnpublishedEvents: {
      queue: events.unpublished,
      kind: 'none',
      impact: 'Practices hear of payments late: their events wait for the sweep.',
    },
    UnreadableEvents: {
      queue: events.unreadable,
      kind: 'event',
      impact: 'Practices do not hear of some payments, and some debits may start late: their events cannot be read.',
    },
    UndispatchedEvents: {
      queue: webhooks.undispatched,
      kind: 'event',
      impact: 'Practices hear of payments late: no webhook could be prepared, and the sweep tries again.',
    },
    UndeliveredEvents: {
      queue: webhooks.undelivered,
      kind: 'event',
      impact: 'Practices hear of payments late: their events wait for the sweep.',
    },
    FailedDeliveries: {
      queue: webhooks.failedTickets,
      kind: 'ticket',
      target: webhooks.tickets,
      impact: 'Practices do not hear of payments: webhooks fail on our side, before they are sent or recorded.',
    },
    FailedSweeps: {
      queue: sweep.failures,
      kind: 'none',
      impact: 'What was overdue stays so for some: payments in processing, webhooks unsent, sessions not expired.',
    },
    UndeliveredSweeps: {
      queue: sweep.undelivered,
      kind: 'none',
      impact: 'Payments, webhooks and expiries that are overdue wait: a minute went by without its sweep.',
    },
  };
}
