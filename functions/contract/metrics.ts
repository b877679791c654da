import type { NextStep } from '../domain/delivery.ts';
import type { DueWork } from '../domain/due.ts';
import type { SessionOutcome } from '../domain/transitions.ts';

/** One measurement. `by` is the value of the metric's dimension: from a closed set, never an id or a name. */
export type Measurement =
  | { readonly metric: 'Sessions'; readonly value: number; readonly by: SessionOutcome }
  | { readonly metric: 'WebhookAttempts'; readonly value: number; readonly by: NextStep['status'] }
  | { readonly metric: 'SweepAge'; readonly value: number; readonly by: DueWork }
  | {
      readonly metric:
        'CommitToPost' | 'OldestUnsubmittedDebit' | 'OldestOpenCancellation' | 'MoneyForCancelledSession';
      readonly value: number;
      readonly by?: never;
    };

interface Metric {
  readonly unit: 'Count' | 'Milliseconds' | 'Seconds';
  readonly dimension?: string;
}

/** Every metric of ours. One with a dimension is published in total as well. */
export const metrics = {
  /** Changes of sessions' states. */
  Sessions: { unit: 'Count', dimension: 'Outcome' },
  /** Attempts to deliver webhooks; `pending` is to be tried again. */
  WebhookAttempts: { unit: 'Count', dimension: 'Outcome' },
  /** From an event's `created_at` to the start of the first attempt to deliver it; an expiry counts from the instant of expiring. */
  CommitToPost: { unit: 'Milliseconds' },
  /** How long ago the oldest row that the sweep took was first due, however often it was taken since; 0 where none was. */
  SweepAge: { unit: 'Seconds', dimension: 'Duty' },
  /** How long the longest-waiting authorized debit has waited for the processor to take it. */
  OldestUnsubmittedDebit: { unit: 'Seconds' },
  /** How long the longest-waiting cancellation has waited for the processor to void its debit or not. */
  OldestOpenCancellation: { unit: 'Seconds' },
  /** Debits that the processor executed although their session is cancelled, or had failed. */
  MoneyForCancelledSession: { unit: 'Count' },
} as const satisfies Record<Measurement['metric'], Metric>;

export type MetricName = keyof typeof metrics;
