import type { NextStep } from '../domain/delivery.ts';
import type { DutyName } from '../domain/due.ts';
import type { ReturnRate } from '../domain/return-rates.ts';
import type { SessionOutcome } from '../domain/transitions.ts';

/** Why a notification of the processor changes nothing. */
export type IgnoredNotification = 'signature' | 'type' | 'debit' | 'account' | 'duplicate';

/** Between the processor and us. */
type Difference = 'notification';

/** `by` is from a closed set, never an id or a name. */
export type Measurement =
  | { readonly metric: 'Sessions'; readonly value: number; readonly by: SessionOutcome }
  | { readonly metric: 'WebhookAttempts'; readonly value: number; readonly by: NextStep['status'] }
  | { readonly metric: 'SweepAge'; readonly value: number; readonly by: DutyName }
  | { readonly metric: 'IgnoredNotifications'; readonly value: number; readonly by: IgnoredNotification }
  | { readonly metric: 'ReconciliationDifferences'; readonly value: number; readonly by: Difference }
  | { readonly metric: 'ReturnRate'; readonly value: number; readonly by: ReturnRate['kind'] }
  | {
      readonly metric:
        | 'CommitToPost'
        | 'WebhooksDelivered'
        | 'EndpointOutages'
        | 'OldestUnsubmittedDebit'
        | 'OldestOpenCancellation'
        | 'MoneyForCancelledSession'
        | 'IllegalTransitions'
        | 'Disagreements'
        | 'ReconciliationAge'
        | 'EvidenceNotArchived'
        | 'UnknownDebits'
        | 'RejectedProcessorCalls'
        | 'RateLimitsReached'
        | 'UncheckedRateLimits'
        | 'UnrecordedKeyUses';
      readonly value: number;
      readonly by?: never;
    };

interface Metric {
  readonly unit: 'Count' | 'Milliseconds' | 'Percent' | 'Seconds';
  readonly dimension?: string;
}

/** A metric with a dimension is also published without it. */
export const metrics = {
  Sessions: { unit: 'Count', dimension: 'Outcome' },
  WebhookAttempts: { unit: 'Count', dimension: 'Outcome' },
  /** From `created_at` to the first attempt, unless its endpoint made it wait. Not of expirations, which the sweep finds late. */
  CommitToPost: { unit: 'Milliseconds' },
  /** Of each attempt, also 0: a sum that is missing cannot be compared with 0. */
  WebhooksDelivered: { unit: 'Count' },
  /** Endpoints that had worked and began to fail. */
  EndpointOutages: { unit: 'Count' },
  /** How long ago the oldest row first came due. */
  SweepAge: { unit: 'Seconds', dimension: 'Duty' },
  OldestUnsubmittedDebit: { unit: 'Seconds' },
  OldestOpenCancellation: { unit: 'Seconds' },
  MoneyForCancelledSession: { unit: 'Count' },
  IgnoredNotifications: { unit: 'Count', dimension: 'Reason' },
  /** Outcomes that contradict what practices were told. */
  IllegalTransitions: { unit: 'Count' },
  /** Found by comparing, with no notification that told of them. */
  Disagreements: { unit: 'Count' },
  ReconciliationDifferences: { unit: 'Count', dimension: 'Difference' },
  /** Of a practice, in percent of Nacha's ceiling. */
  ReturnRate: { unit: 'Percent', dimension: 'Kind' },
  /** How long ago the processor's events are read up to. */
  ReconciliationAge: { unit: 'Seconds' },
  /** At the processor for a session of ours, but not in our table. */
  UnknownDebits: { unit: 'Count' },
  /** Missing in the archive when it was checked. */
  EvidenceNotArchived: { unit: 'Count' },
  /** What the processor calls wrong: our code's or our settings' fault. */
  RejectedProcessorCalls: { unit: 'Count' },
  /** A practice used up its requests of a window, as one environment noticed. */
  RateLimitsReached: { unit: 'Count' },
  /** Requests are admitted because the limiter failed. */
  UncheckedRateLimits: { unit: 'Count' },
  /** The day of a key's last use was not written. */
  UnrecordedKeyUses: { unit: 'Count' },
} as const satisfies Record<Measurement['metric'], Metric>;

export type MetricName = keyof typeof metrics;
