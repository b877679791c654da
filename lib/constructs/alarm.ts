import { Duration, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, TreatMissingData, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { MetricName } from '../../functions/contract/metrics.ts';
import { metricsNamespace } from './service-function.ts';

interface Limit {
  readonly above: number;
  readonly periods?: number;
  readonly breaching?: number;
  readonly whereMissing?: TreatMissingData;
}

interface OwnLimit extends Limit {
  readonly statistic?: string;
  readonly period?: Duration;
}

export type RaiseAlarms = ReturnType<typeof alarmsTo>;

/** An alarm's name is also its heading in the runbook, and `impact` says whom it affects. */
export function alarmsTo(scope: Construct, topic: ITopic, runbook: string) {
  function raise(name: string, metric: IMetric, impact: string, limit: Limit): void {
    const { above, periods = 1, breaching = periods, whereMissing = TreatMissingData.NOT_BREACHING } = limit;
    const alarm = new Alarm(scope, name, {
      alarmName: `${Stack.of(scope).stackName}-${name}`,
      alarmDescription: `${impact} Runbook: ${runbook}#${name.toLowerCase()}`,
      metric,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      threshold: above,
      evaluationPeriods: periods,
      datapointsToAlarm: breaching,
      treatMissingData: whereMissing,
    });
    alarm.addAlarmAction(new SnsAction(topic));
  }

  /** Raises an alarm on a metric that the functions write. Both have the same name. */
  function raiseOwn(name: MetricName, impact: string, { statistic, period, ...limit }: OwnLimit): void {
    raise(name, ownMetric(scope, name, statistic, period), impact, limit);
  }

  /** Raises alarms on metrics that count what should never happen. */
  function raiseAny(impacts: { readonly [Name in MetricName]?: string }): void {
    for (const [name, impact] of Object.entries(impacts))
      raise(name, ownMetric(scope, name, 'Sum'), impact, { above: 0 });
  }

  return { raise, raiseOwn, raiseAny };
}

export function ownMetric(
  scope: Construct,
  metricName: string,
  statistic = 'Maximum',
  period = Duration.minutes(1),
): Metric {
  return new Metric({ namespace: metricsNamespace(scope), metricName, period, statistic });
}
