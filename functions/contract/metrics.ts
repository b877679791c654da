import type { NextStep } from '../domain/webhooks/delivery.ts';
import type { DutyName } from '../domain/due.ts';
import type { returnKinds } from '../domain/payments/return-rates.ts';
import type { SessionOutcome } from '../domain/sessions/transitions.ts';
import type { SignInProblem } from './team/dashboard-sign-in.ts';

/** Why a notification from the processor changes nothing. */
export type IgnoredNotification = 'signature' | 'type' | 'debit' | 'account' | 'duplicate';

/** The values of a metric's dimension: a closed set, never an ID or a name. */
interface Dimensions {
  readonly Sessions: SessionOutcome;
  readonly WebhookAttempts: NextStep['status'];
  readonly SweepAge: DutyName;
  readonly IgnoredNotifications: IgnoredNotification;
  readonly ReconciliationDifferences: 'notification';
  readonly ReturnRate: (typeof returnKinds)[number];
  readonly FailedSignIns: SignInProblem;
  /** The name of the function. */
  readonly LoggedErrors: string;
}

type MeasurementOf<Name extends MetricName> = {
  readonly metric: Name;
  readonly value: number;
} & (Name extends keyof Dimensions ? { readonly by: Dimensions[Name] } : { readonly by?: never });
export type Measurement = { [Name in MetricName]: MeasurementOf<Name> }[MetricName];

interface Metric {
  readonly unit: 'Count' | 'Milliseconds' | 'Percent' | 'Seconds';
  readonly dimension?: string;
}

/** A metric with a dimension is also published without it. */
export const metrics = {
  Sessions: { unit: 'Count', dimension: 'Outcome' },
  WebhookAttempts: { unit: 'Count', dimension: 'Outcome' },
  /** From `created_at` to the first attempt, unless the endpoint made it wait. Excludes expirations: the sweep finds them late. */
  CommitToPost: { unit: 'Milliseconds' },
  /** Every attempt reports it, with 0 for a failure: an alarm cannot compare missing data with 0. */
  WebhooksDelivered: { unit: 'Count' },
  /** Endpoints that had worked and began to fail. */
  EndpointOutages: { unit: 'Count' },
  /** How long ago the oldest row first came due. */
  SweepAge: { unit: 'Seconds', dimension: 'Duty' },
  OldestUnsubmittedDebit: { unit: 'Seconds' },
  OldestOpenCancellation: { unit: 'Seconds' },
  MoneyForCancelledSession: { unit: 'Count' },
  ReturnedAfterRefund: { unit: 'Count' },
  FailedRefunds: { unit: 'Count' },
  IgnoredNotifications: { unit: 'Count', dimension: 'Reason' },
  /** Outcomes that contradict what a practice was told. */
  IllegalTransitions: { unit: 'Count' },
  /** Found by comparing with the processor: no notification reported them. */
  Disagreements: { unit: 'Count' },
  ReconciliationDifferences: { unit: 'Count', dimension: 'Difference' },
  /** A practice's return rate, in percent of Nacha's ceiling. */
  ReturnRate: { unit: 'Percent', dimension: 'Kind' },
  /** How far behind we are in reading the processor's events. */
  ReconciliationAge: { unit: 'Seconds' },
  /** Debits that the processor has for one of our sessions but our table does not. */
  UnknownDebits: { unit: 'Count' },
  /** Accounts, a practice's or our own, that owe the processor money. */
  NegativeBalances: { unit: 'Count' },
  /** Evidence that was missing when the archive was checked. */
  EvidenceNotArchived: { unit: 'Count' },
  /** Calls that the processor rejected as invalid: a fault in our code or settings. */
  RejectedProcessorCalls: { unit: 'Count' },
  /** A practice used up its quota for a window. Counted by each execution environment. */
  RateLimitsReached: { unit: 'Count' },
  /** Requests admitted because the rate limiter failed. */
  UncheckedRateLimits: { unit: 'Count' },
  /** Failures to write the day of a key's last use. */
  UnrecordedKeyUses: { unit: 'Count' },
  /** Log lines at level ERROR. */
  LoggedErrors: { unit: 'Count', dimension: 'FunctionName' },
  /** Dashboard sign-ins that a user started but could not finish. */
  FailedSignIns: { unit: 'Count', dimension: 'Reason' },
  /** Public addresses that did not answer as they should. Every run reports it, with 0 if all did. */
  FailedProbes: { unit: 'Count' },
  /** Public addresses on our own domains whose certificate expires within a month. */
  ExpiringCertificates: { unit: 'Count' },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof metrics;
