import { Duration } from 'aws-cdk-lib';
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { MetricName } from '../../functions/contract/metrics.ts';
import { ownMetric, type RaiseAlarm } from './alarm.ts';

const hour = Duration.hours(1);

/** Live mode only: what the processor does, and what the comparison with it and with the archive finds. */
export function watchProcessor(scope: Construct, raise: RaiseAlarm): void {
  const own = (metricName: MetricName, statistic?: string, period?: Duration) =>
    ownMetric(scope, metricName, statistic, period);
  raise(
    'RejectedProcessorCalls',
    own('RejectedProcessorCalls', 'Sum'),
    'Stripe rejects our requests: patients cannot connect a bank, or authorized payments are late or fail.',
    { above: 0 },
  );
  raise(
    'UnknownDebits',
    own('UnknownDebits', 'Sum'),
    'A patient is debited for a session, and we have no record of the debit: the practice is not told of it.',
    { above: 0 },
  );
  raise(
    'ReconciliationDifferences',
    own('ReconciliationDifferences', 'Sum'),
    'Notifications of the processor never arrived. They are handled now, but practices learned the results late.',
    { above: 0 },
  );
  raise(
    'Disagreements',
    own('Disagreements', 'Sum'),
    'Payments differed from the processor, and no notification said so. They are corrected; others may be wrong, too.',
    { above: 0 },
  );
  // Reconciliation runs hourly. Two of three hours allow for a late run.
  raise(
    'ReconciliationAge',
    own('ReconciliationAge', 'Maximum', hour),
    'Nobody has checked for hours whether payments at the processor agree with ours.',
    { above: 3 * hour.toSeconds(), periods: 3, breaching: 2, whereMissing: TreatMissingData.BREACHING },
  );
  raise(
    'FailedRefunds',
    own('FailedRefunds', 'Sum'),
    "A patient's bank did not take a refund. With destination charges you have the practice's money.",
    { above: 0 },
  );
  // Counted hourly. The alarm lasts until two hours in a row counted none.
  raise(
    'NegativeBalances',
    own('NegativeBalances', 'Sum', hour),
    'A practice, or you, owe Stripe money, because payments were given back after their payout. You are liable for it.',
    { above: 0, periods: 2, breaching: 1 },
  );
  raise(
    'ReturnRate',
    own('ReturnRate'),
    "A practice's debits are returned so often that it is halfway to a ceiling of Nacha's, above which it may lose ACH payments.",
    { above: 49 },
  );
  raise(
    'EvidenceNotArchived',
    own('EvidenceNotArchived', 'Sum'),
    "Patients' authorizations were not in the archive ten minutes after they were given. They should be now.",
    { above: 0 },
  );
}
