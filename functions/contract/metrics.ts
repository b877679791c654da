import type { NextStep } from '../domain/delivery.ts';
import type { DutyName } from '../domain/due.ts';
import type { SessionOutcome } from '../domain/transitions.ts';

/** One measurement. `by` is the value of the metric's dimension, from a closed set, never an id or a name. */
export type Measurement =
  | { readonly metric: 'Sessions'; readonly value: number; readonly by: SessionOutcome }
  | { readonly metric: 'WebhookAttempts'; readonly value: number; readonly by: NextStep['status'] }
  | { readonly metric: 'SweepAge'; readonly value: number; readonly by: DutyName }
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

/** Every custom metric. A metric with a dimension is also published without it, as a total. */
export const metrics = {
  Sessions: { unit: 'Count', dimension: 'Outcome' },
  /** `pending`: a retry follows. */
  WebhookAttempts: { unit: 'Count', dimension: 'Outcome' },
  /** From an event's `created_at` to its first delivery attempt. An expiration counts from `expiresAt`. */
  CommitToPost: { unit: 'Milliseconds' },
  /** How long ago the oldest row that the sweep took first came due, retries included; 0 if none was due. */
  SweepAge: { unit: 'Seconds', dimension: 'Duty' },
  OldestUnsubmittedDebit: { unit: 'Seconds' },
  OldestOpenCancellation: { unit: 'Seconds' },
  /** Debits that the processor executed for a cancelled or failed session. */
  MoneyForCancelledSession: { unit: 'Count' },
} as const satisfies Record<Measurement['metric'], Metric>;

export type MetricName = keyof typeof metrics;
