import { Duration, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Alarm, ComparisonOperator, Metric, TreatMissingData, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { MetricName } from '../functions/contract/metrics.ts';
import type { DeadLetters } from './dead-letters.ts';
import { metricsNamespace } from './service-function.ts';

interface AlarmsProps {
  readonly api: HttpApi;
  readonly publishEvents: Function;
  readonly deadLetters: Readonly<Record<string, DeadLetters>>;
}

interface Limit {
  readonly above: number;
  /** The last periods that are looked at; default 1. */
  readonly periods?: number;
  /** In how many of them the metric has to be above the limit; default all. */
  readonly breaching?: number;
  readonly whereMissing?: TreatMissingData;
}

const perMinute = { period: Duration.minutes(1), statistic: 'Maximum' } as const;
const hour = Duration.hours(1).toSeconds();

/** Tells operators what people would otherwise have to find out. The README has a line on each: what it means and what to do. */
export class Alarms extends Construct {
  /** Not under a key of ours, which CloudWatch would have to be let in to: its messages are the names and texts below. */
  readonly topic = new Topic(this, 'Topic', { enforceSSL: true });

  constructor(scope: Construct, id: string, { api, publishEvents, deadLetters }: AlarmsProps) {
    super(scope, id);
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );

    for (const [name, { queue, impact }] of Object.entries(deadLetters)) {
      this.exceeds(name, queue.metricApproximateNumberOfMessagesVisible(perMinute), impact, { above: 0 });
    }

    const late =
      'Whatever was lost on the way is not made up for: payments stay processing, webhooks unsent, sessions not expired.';
    this.exceeds('SweepAge', this.own('SweepAge'), late, {
      above: 300,
      periods: 5,
      whereMissing: TreatMissingData.BREACHING,
    });
    const vain =
      'For an hour a payment, webhook or expiry of a session has been taken up again and again, and nothing comes of it.';
    // It is taken up six hours apart in the end, and measured only then.
    this.exceeds('StuckWork', this.own('SweepAge'), vain, {
      above: hour,
      periods: Duration.hours(7).toMinutes(),
      breaching: 1,
    });
    this.exceeds(
      'OldestUnsubmittedDebit',
      this.own('OldestUnsubmittedDebit'),
      'For an hour a patient has read that a payment is in progress, and the processor has no debit.',
      { above: hour },
    );
    this.exceeds(
      'OldestOpenCancellation',
      this.own('OldestOpenCancellation'),
      'For an hour a practice has waited to know whether a payment that it cancelled was stopped.',
      { above: hour },
    );
    this.exceeds(
      'MoneyForCancelledSession',
      this.own('MoneyForCancelledSession', 'Sum'),
      'A patient was debited for a session that is cancelled or had failed: the practice believes that nothing was paid.',
      { above: 0 },
    );
    this.exceeds(
      'StreamAge',
      publishEvents.metric('IteratorAge', perMinute),
      'Practices hear of payments late, and debits start late: new events are read slowly or not at all.',
      { above: 60_000, periods: 5 },
    );
    this.exceeds(
      'ServerErrors',
      api.metricServerError({ period: Duration.minutes(5) }),
      'Patients cannot pay or practices cannot call the API: five or more requests in five minutes got a 5xx.',
      { above: 4 },
    );
  }

  /** A metric that functions write with their log. */
  private own(metricName: MetricName, statistic = 'Maximum'): Metric {
    return new Metric({ namespace: metricsNamespace(this), metricName, period: Duration.minutes(1), statistic });
  }

  private exceeds(
    name: string,
    metric: IMetric,
    impact: string,
    { above, periods = 1, breaching = periods, whereMissing = TreatMissingData.NOT_BREACHING }: Limit,
  ): void {
    const anchor = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
    const alarm = new Alarm(this, name, {
      alarmName: `${Stack.of(this).stackName}-${name}`,
      alarmDescription: `${impact} What to do: README.md#${anchor}`,
      metric,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      threshold: above,
      evaluationPeriods: periods,
      datapointsToAlarm: breaching,
      treatMissingData: whereMissing,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
  }
}
