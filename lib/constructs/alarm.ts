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

/** `name` is also the heading in the runbook, `impact` says whom it affects. */
export type RaiseAlarm = (name: string, metric: IMetric, impact: string, limit: Limit) => void;

export function alarmsTo(scope: Construct, topic: ITopic, runbook: string): RaiseAlarm {
  return (
    name,
    metric,
    impact,
    { above, periods = 1, breaching = periods, whereMissing = TreatMissingData.NOT_BREACHING },
  ) => {
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
  };
}

/** A metric that the functions write. */
export function ownMetric(
  scope: Construct,
  metricName: MetricName,
  statistic = 'Maximum',
  period = Duration.minutes(1),
): Metric {
  return new Metric({ namespace: metricsNamespace(scope), metricName, period, statistic });
}
