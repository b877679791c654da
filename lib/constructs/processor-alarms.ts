import { Duration } from 'aws-cdk-lib';
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { RaiseAlarms } from './alarm.ts';

const hour = Duration.hours(1);

/** Live mode only: what the processor does, and what the comparison with it and with the archive finds. */
export function watchProcessor({ raiseOwn, raiseAny }: RaiseAlarms): void {
  raiseAny({
    RejectedProcessorCalls:
      'Stripe rejects our requests: patients cannot connect a bank, or authorized payments are late or fail.',
    UnknownDebits:
      'A patient is debited for a session, and we have no record of the debit: the practice is not told of it.',
    ReconciliationDifferences:
      'Notifications of the processor never arrived. They are handled now, but practices learned the results late.',
    Disagreements:
      'Payments differed from the processor, and no notification said so. They are corrected; others may be wrong, too.',
    EvidenceNotArchived:
      "Patients' authorizations were not in the archive ten minutes after they were given. They should be now.",
  });
  // Reconciliation runs hourly. Two of three hours allow for a late run.
  raiseOwn('ReconciliationAge', 'Nobody has checked for hours whether payments at the processor agree with ours.', {
    above: 3 * hour.toSeconds(),
    period: hour,
    periods: 3,
    breaching: 2,
    whereMissing: TreatMissingData.BREACHING,
  });
  // Counted hourly. The alarm lasts until two hours in a row counted none.
  raiseOwn(
    'NegativeBalances',
    'A practice, or you, owe Stripe money, because payments were given back after their payout. You are liable for it.',
    { above: 0, statistic: 'Sum', period: hour, periods: 2, breaching: 1 },
  );
  raiseOwn(
    'ReturnRate',
    "A practice's debits are returned so often that it is halfway to a ceiling of Nacha's, above which it may lose ACH payments.",
    { above: 49 },
  );
}
