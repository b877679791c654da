import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Debits } from './debits.ts';
import type { EvidenceArchive } from './evidence-archive.ts';
import type { Notifications } from './notifications.ts';
import type { Expirations, Reconciliation, Sweep } from './scheduled-work.ts';
import type { PaymentEvents } from './payment-events.ts';
import type { Webhooks } from './webhooks.ts';

interface Pipelines {
  readonly debits: Debits;
  readonly events: PaymentEvents;
  readonly expirations: Expirations;
  readonly sweep: Sweep;
  readonly webhooks: Webhooks;
  /** These two exist only in live mode. */
  readonly archive: EvidenceArchive | undefined;
  readonly reconciliation: Reconciliation | undefined;
  /** Absent if the stack sends no email. */
  readonly notifications: Notifications | undefined;
}

/** `kind` is how to redrive. For `none`, nothing is lost: the sweep finds the work, or the dashboard shows it. */
export type DeadLetters = {
  readonly queue: Queue;
  readonly impact: string;
} & ({ readonly kind: 'ticket'; readonly target: Queue } | { readonly kind: 'event' | 'none' });

export function deadLettersOf(pipelines: Pipelines): Readonly<Record<string, DeadLetters>> {
  const { debits, events, expirations, sweep, webhooks, archive, reconciliation, notifications } = pipelines;
  return {
    FailedSubmissions: {
      queue: debits.failedSubmissions,
      kind: 'ticket',
      target: debits.submissions,
      impact:
        'Patients authorized payments that we could not hand to the processor. Those payments stay in processing.',
    },
    FailedSettlements: {
      queue: debits.failedSettlements,
      kind: 'ticket',
      target: debits.settlements,
      impact:
        'Payments have final results that we could not record. Patients and practices still see them as processing.',
    },
    UndeliveredDebits: {
      queue: debits.undelivered,
      kind: 'ticket',
      target: debits.submissions,
      impact: 'Authorized payments reach the processor about two minutes late.',
    },
    UnpublishedEvents: {
      queue: events.unpublished,
      kind: 'none',
      impact: 'Practices get webhooks late and debits start late, once the sweep republishes the events.',
    },
    UnreadableEvents: {
      queue: events.unreadable,
      kind: 'event',
      impact:
        'Practices get no webhook for some payments, and some debits start late: rows in the Events table are invalid.',
    },
    FailedDeliveries: {
      queue: webhooks.failedTickets,
      kind: 'ticket',
      target: webhooks.tickets,
      impact: 'Practices do not get some webhooks, because of a failure on our side.',
    },
    FailedExpirations: {
      queue: expirations.failedTickets,
      kind: 'ticket',
      target: expirations.tickets,
      impact: 'Practices learn late that some links expired. Nobody can pay through them.',
    },
    FailedSweeps: {
      queue: sweep.failures,
      kind: 'none',
      impact:
        'Some overdue work is stuck: payments stay in processing, webhooks are not sent, sessions do not expire, or old patient data is not removed.',
    },
    UndeliveredSweeps: {
      queue: sweep.undelivered,
      kind: 'none',
      impact: 'Overdue payments, webhooks and session expirations waited an extra minute or more: a sweep did not run.',
    },
    ...(archive && {
      UncopiedEvidence: {
        queue: archive.uncopied,
        kind: 'none',
        impact: "Patients' authorizations reach the archive up to an hour late, by the hourly check.",
      },
    }),
    ...(reconciliation && {
      FailedReconciliations: {
        queue: reconciliation.failures,
        kind: 'none',
        impact:
          'Payments were not compared with the processor for an hour. The next run continues where this one stopped.',
      },
    }),
    ...(notifications && mailDeadLetters(notifications)),
  };
}

function mailDeadLetters({ failedMails, mails, unread, unsent, undelivered }: Notifications) {
  return {
    FailedMails: {
      queue: failedMails,
      kind: 'ticket',
      target: mails,
      impact: 'Some members of practices did not get an email about a security change or an alert.',
    },
    UnreadAuditEntries: {
      queue: unread,
      kind: 'none',
      impact: "Practices' admins were not emailed about changes such as a revealed secret. The audit log has them.",
    },
    UnsentAlerts: {
      queue: unsent,
      kind: 'none',
      impact:
        'Members of practices were not emailed about an alert that they chose, or their daily summary. The dashboard shows both.',
    },
    UndeliveredAlerts: {
      queue: undelivered,
      kind: 'none',
      impact:
        'Members of practices were not emailed about an alert that they chose, or their daily summary. The dashboard shows both.',
    },
  } as const satisfies Readonly<Record<string, DeadLetters>>;
}
