import { Duration, Stack } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { MathExpression, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { metrics } from '../../functions/contract/metrics.ts';
import type { DutyName } from '../../functions/domain/due.ts';
import { ownMetric, type RaiseAlarms } from './alarm.ts';
import { metricsNamespace } from './service-function.ts';

const fiveMinutes = Duration.minutes(5);

/** Faults that neither a dead-letter queue nor a 5xx of the API shows. */
export function watchBlindSpots(
  scope: Construct,
  { raise, raiseOwn }: RaiseAlarms,
  distributions: Readonly<Record<string, Distribution>>,
): void {
  raise(
    'LoggedErrors',
    loggedErrors(scope),
    'Something for patients or practices may be left undone: one function logged errors three times within three hours.',
    // Three hours is as far back as an alarm on a query can look.
    { above: 0, periods: 36, breaching: 3 },
  );
  raiseOwn(
    'FailedSignIns',
    'Staff of practices may be unable to sign in to the dashboard: three sign-ins failed within a quarter of an hour.',
    { above: 2, statistic: 'Sum', period: Duration.minutes(15) },
  );
  const late: DutyName = 'dispatch';
  raise(
    'LateEvents',
    ownMetric(scope, 'SweepAge').with({ dimensionsMap: { [metrics.SweepAge.dimension]: late } }),
    'Practices get webhooks late and debits start late: the sweep publishes events, because publish-events did not.',
    { above: 0, periods: 60, breaching: 3 },
  );
  // Only that region has CloudFront's metrics, and alarms on them.
  if (Stack.of(scope).region === 'us-east-1')
    raise(
      'PageErrors',
      failedRequests(distributions),
      'Patients or staff of practices saw errors: a page or its API answered five or more requests with a 5xx in five minutes.',
      { above: 4 },
    );
}

/** Watches what `probe` sees from outside, in every region. */
export function watchProbe({ raiseOwn }: RaiseAlarms): void {
  raiseOwn(
    'FailedProbes',
    'Patients, practices or their staff may not reach the service: from outside, a page, an API or the docs do not answer.',
    { above: 0, period: fiveMinutes, periods: 3, breaching: 2, whereMissing: TreatMissingData.BREACHING },
  );
  raiseOwn(
    'ExpiringCertificates',
    'In at most 30 days, patients, practices or their staff get a certificate error: a certificate was not renewed.',
    { above: 0, period: Duration.hours(1) },
  );
}

/** One query for all functions, because a stack has room for few resources. Each function is its own series. */
function loggedErrors(scope: Construct): MathExpression {
  const { dimension } = metrics.LoggedErrors;
  return new MathExpression({
    // An alarm rejects groups without an order.
    expression: `SELECT SUM(LoggedErrors) FROM SCHEMA("${metricsNamespace(scope)}", ${dimension}) GROUP BY ${dimension} ORDER BY SUM() DESC`,
    usingMetrics: {},
    period: fiveMinutes,
  });
}

/** Not just the rate: one failed request at night raises it to 100 percent. */
function failedRequests(distributions: Readonly<Record<string, Distribution>>): MathExpression {
  const usingMetrics: Record<string, Metric> = {};
  const counts = Object.entries(distributions).map(([name, { distributionId }]) => {
    // CDK's own distribution metrics lack the region, and so have no data.
    const dimensionsMap = { DistributionId: distributionId, Region: 'Global' };
    const of = (metricName: string, statistic: string) =>
      new Metric({ namespace: 'AWS/CloudFront', metricName, dimensionsMap, statistic });
    usingMetrics[`${name}Rate`] = of('5xxErrorRate', 'Average');
    usingMetrics[`${name}Requests`] = of('Requests', 'Sum');
    return `FILL(${name}Rate * ${name}Requests / 100, 0)`;
  });
  return new MathExpression({
    expression: `SUM([${counts.join(', ')}])`,
    usingMetrics,
    label: 'Failed requests',
    period: fiveMinutes,
  });
}
