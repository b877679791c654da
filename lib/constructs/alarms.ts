import { Duration, Stack } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { Alarm, MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { alarmsTo, ownMetric, type RaiseAlarms } from './alarm.ts';
import { watchBlindSpots, watchProbe } from './blind-spots.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { Gateway } from './gateway.ts';

interface AlarmsProps {
  readonly gateway: Gateway;
  readonly publishEvents: Function;
  /** Set only where the stack sends email. */
  readonly notifyAdmins: Function | undefined;
  readonly deadLetters: Readonly<Record<string, DeadLetters>>;
  readonly runbook: string;
  readonly email: string | undefined;
  /** Live mode only. */
  readonly reconciles: boolean;
  readonly distributions: Readonly<Record<string, Distribution>>;
}

const perMinute = { period: Duration.minutes(1), statistic: 'Maximum' } as const;
const hour = Duration.hours(1);

export class Alarms extends Construct {
  /** Unencrypted, so that CloudWatch does not need our key. The messages hold no data. */
  readonly topic = new Topic(this, 'Topic', { enforceSSL: true });

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const { gateway, publishEvents, notifyAdmins, deadLetters, runbook, email, reconciles } = props;
    const alarms = alarmsTo(this, this.topic, runbook);
    const { raise, raiseOwn, raiseAny } = alarms;
    if (email !== undefined) this.topic.addSubscription(new EmailSubscription(email));
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );

    for (const [name, { queue, impact }] of Object.entries(deadLetters))
      raise(name, queue.metricApproximateNumberOfMessagesVisible(perMinute), impact, { above: 0 });
    raiseAny({
      MoneyForCancelledSession:
        'A patient was debited for a session that was cancelled or had failed. The practice believes nothing was paid.',
      ReturnedAfterRefund:
        'A patient got the money of a debit twice: the practice refunded it, then the bank returned it.',
      IllegalTransitions:
        'A practice was told that a payment succeeded or was returned, but the processor now says otherwise.',
    });
    raiseOwn(
      'SweepAge',
      'Overdue work is not being retried: payments stay in processing, webhooks are not sent, sessions do not expire.',
      { above: 300, periods: 5, whereMissing: TreatMissingData.BREACHING },
    );
    // At the end of its backoff, the sweep reports only every six hours.
    raise(
      'StuckWork',
      ownMetric(this, 'SweepAge'),
      'A payment, a webhook or the expiration of a session has been overdue for more than an hour despite retries.',
      { above: hour.toSeconds(), periods: Duration.hours(7).toMinutes(), breaching: 1 },
    );
    raiseOwn(
      'OldestUnsubmittedDebit',
      'A patient authorized a payment over an hour ago, and the processor still does not have the debit.',
      { above: hour.toSeconds() },
    );
    raiseOwn(
      'OldestOpenCancellation',
      'A practice cancelled a payment over an hour ago and still does not know whether the debit was stopped.',
      { above: hour.toSeconds() },
    );
    raise(
      'StreamAge',
      publishEvents.metric('IteratorAge', perMinute),
      'Practices get webhooks late and debits start late: new events are read slowly or not at all.',
      { above: 60_000, periods: 5 },
    );
    // A bad entry reaches the dead-letter queue only after half a day, and blocks the entries behind it until then.
    if (notifyAdmins)
      raise(
        'AuditStreamAge',
        notifyAdmins.metric('IteratorAge', { ...perMinute, period: Duration.minutes(5) }),
        "Practices' admins get no emails about changes such as a revealed secret: new audit entries are not read.",
        { above: 600_000, periods: 2 },
      );
    raiseOwn(
      'CommitToPost',
      'Practices get webhooks late: for 15 minutes, one in a hundred was sent more than a minute after its event.',
      { above: 60_000, statistic: 'p99', period: Duration.minutes(5), periods: 3 },
    );
    raiseOwn(
      'UncheckedRateLimits',
      'The limit of requests per practice is not enforced: one practice can slow down the API for the others.',
      { above: 4, statistic: 'Sum' },
    );
    watchOutages(this, alarms);
    watchCallers(gateway, alarms);
    watchBlindSpots(this, alarms, props.distributions);
    if (reconciles) {
      watchProbe(alarms);
      watchProcessor(alarms);
    }
  }

  /** The stack's alarms with these names. It may not have all of them. */
  named(...names: readonly string[]): Alarm[] {
    return names.map((name) => this.node.tryFindChild(name)).filter((found) => found instanceof Alarm);
  }
}

function watchOutages(scope: Construct, { raise }: RaiseAlarms): void {
  const period = hour;
  raise(
    'NoWebhookDelivered',
    new MathExpression({
      expression: 'IF(delivered == 0, outages, 0)',
      usingMetrics: {
        delivered: ownMetric(scope, 'WebhooksDelivered', 'Sum', period),
        outages: ownMetric(scope, 'EndpointOutages', 'Sum', period),
      },
      label: 'Endpoints that began to fail while none worked',
      period,
    }),
    'Practices get no webhooks: for an hour none was delivered, and several endpoints that had worked began to fail.',
    // An outage is counted when it begins, so the alarm outlasts that hour.
    { above: 2, periods: 6, breaching: 1 },
  );
}

function watchCallers(gateway: Gateway, { raise }: RaiseAlarms): void {
  raise(
    'ServerErrors',
    gateway.serverErrors(Duration.minutes(5)),
    'Patients may be unable to pay or practices to call the API: five or more requests got a 5xx in five minutes.',
    { above: 4 },
  );
  raise(
    'ThrottledRequests',
    gateway.throttledRequests,
    'Patients or practices were told to try again later: one route got more requests than it accepts.',
    { above: 50 },
  );
  const period = Duration.minutes(15);
  raise(
    'ClientErrors',
    new MathExpression({
      expression: 'IF(requests > 500, 100 * refused / requests, 0)',
      usingMetrics: { refused: gateway.clientErrors(period), requests: gateway.requests(period) },
      label: 'Percent of requests that got a 4xx',
      period,
    }),
    'More than half of many requests got a 4xx: patients may be shut out, a practice may use a wrong key, or someone is guessing tokens or keys.',
    { above: 50 },
  );
}

/** Live mode only: what the processor does, and what the comparison with it and with the archive finds. */
function watchProcessor({ raiseOwn, raiseAny }: RaiseAlarms): void {
  raiseAny({
    RejectedProcessorCalls:
      'Stripe rejects our requests: patients cannot connect a bank, or authorized payments are late or fail.',
    UnknownDebits:
      'A patient is debited for a session, and we have no record of the debit: the practice is not told of it.',
    ReconciliationDifferences:
      'Notifications from the processor never arrived. They are handled now, but practices learned the results late.',
    Disagreements:
      'Payments differed from the processor, and no notification said so. They are corrected; others may be wrong, too.',
    FailedRefunds: "A patient's bank did not take a refund. With destination charges you have the practice's money.",
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
    'A practice, or you, owe Stripe money, because payments were returned or refunded after their payout. You are liable for it.',
    { above: 0, statistic: 'Sum', period: hour, periods: 2, breaching: 1 },
  );
  raiseOwn(
    'ReturnRate',
    "A practice's debits are returned so often that it is halfway to a ceiling of Nacha's, above which it may lose ACH payments.",
    { above: 49 },
  );
}
