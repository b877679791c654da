import type { NextStep } from '../domain/delivery.ts';
import type { DutyName } from '../domain/due.ts';
import type { SessionOutcome } from '../domain/transitions.ts';

/** Why a notification of the processor changes nothing. */
export type IgnoredNotification = 'signature' | 'type' | 'debit' | 'account' | 'duplicate';

/** `by` is from a closed set, never an id or a name. */
export type Measurement =
  | { readonly metric: 'Sessions'; readonly value: number; readonly by: SessionOutcome }
  | { readonly metric: 'WebhookAttempts'; readonly value: number; readonly by: NextStep['status'] }
  | { readonly metric: 'SweepAge'; readonly value: number; readonly by: DutyName }
  | { readonly metric: 'IgnoredNotifications'; readonly value: number; readonly by: IgnoredNotification }
  | {
      readonly metric:
        | 'CommitToPost'
        | 'OldestUnsubmittedDebit'
        | 'OldestOpenCancellation'
        | 'MoneyForCancelledSession'
        | 'IllegalTransitions';
      readonly value: number;
      readonly by?: never;
    };

interface Metric {
  readonly unit: 'Count' | 'Milliseconds' | 'Seconds';
  readonly dimension?: string;
}

/** A metric with a dimension is also published without it. */
export const metrics = {
  Sessions: { unit: 'Count', dimension: 'Outcome' },
  WebhookAttempts: { unit: 'Count', dimension: 'Outcome' },
  /** From `created_at`, or `expiresAt` of an expiration, to the first attempt. */
  CommitToPost: { unit: 'Milliseconds' },
  /** How long ago the oldest row first came due. */
  SweepAge: { unit: 'Seconds', dimension: 'Duty' },
  OldestUnsubmittedDebit: { unit: 'Seconds' },
  OldestOpenCancellation: { unit: 'Seconds' },
  MoneyForCancelledSession: { unit: 'Count' },
  IgnoredNotifications: { unit: 'Count', dimension: 'Reason' },
  /** Outcomes that contradict what practices were told. */
  IllegalTransitions: { unit: 'Count' },
} as const satisfies Record<Measurement['metric'], Metric>;

export type MetricName = keyof typeof metrics;
