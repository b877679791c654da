import { Duration, Stack } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, MathExpression, Metric, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { metrics, type MetricName } from '../../functions/contract/metrics.ts';
import type { Gateway } from './gateway.ts';
import { metricsNamespace } from './service-function.ts';

const period = Duration.minutes(5);
const size = { width: 12, height: 6 } as const;

/** One dashboard for whoever is on call: counts and times, with nothing about a patient or a practice. */
export function operationsDashboard(scope: Construct, id: string, gateway: Gateway, alarms: ITopic): Dashboard {
  const namespace = metricsNamespace(scope);
  const own = (metricName: MetricName, statistic: string) => new Metric({ namespace, metricName, statistic, period });
  const by = (dimension: string, metricName: MetricName) =>
    math(linesOf(`{${namespace},${dimension}} MetricName="${metricName}"`));
  const graph = (title: string, left: IMetric[], right: IMetric[] = []) =>
    new GraphWidget({ ...size, title, left, right });

  const dashboard = new Dashboard(scope, id, {
    dashboardName: `${Stack.of(scope).stackName}-${Stack.of(scope).region}`,
    defaultInterval: Duration.days(1),
  });
  dashboard.addWidgets(
    graph('Sessions by outcome', [by(metrics.Sessions.dimension, 'Sessions')]),
    graph(
      'Webhook attempts by outcome',
      [by(metrics.WebhookAttempts.dimension, 'WebhookAttempts')],
      [own('EndpointOutages', 'Sum')],
    ),
  );
  dashboard.addWidgets(
    graph('Event to webhook, milliseconds', [own('CommitToPost', 'p50'), own('CommitToPost', 'p99')]),
    graph('Age of the oldest work, seconds', [
      own('SweepAge', 'Maximum'),
      own('OldestUnsubmittedDebit', 'Maximum'),
      own('OldestOpenCancellation', 'Maximum'),
    ]),
  );
  dashboard.addWidgets(
    graph('Requests', [gateway.requests(period)], [gateway.clientErrors(period), gateway.serverErrors(period)]),
    graph('Errors and throttles of functions', [
      allFunctions(namespace, 'Errors'),
      allFunctions(namespace, 'Throttles'),
    ]),
  );
  dashboard.addWidgets(
    graph('Errors logged, by function', [by(metrics.LoggedErrors.dimension, 'LoggedErrors')]),
    graph('Sign-ins that failed, and addresses that did not answer', [
      own('FailedSignIns', 'Sum'),
      own('FailedProbes', 'Maximum'),
    ]),
  );
  // CloudWatch cannot show a subscription.
  dashboard.addWidgets(
    graph('Alarm emails: if none is delivered, nobody has confirmed an address', [
      alarms.metricNumberOfMessagesPublished({ period }),
      alarms.metricNumberOfNotificationsDelivered({ period }),
    ]),
  );
  dashboard.addWidgets(
    graph('Cost: invocations', [allFunctions(namespace, 'Invocations')]),
    graph('Cost: duration of functions, milliseconds', [allFunctions(namespace, 'Duration')]),
  );
  dashboard.addWidgets(
    graph('Cost: write units', allTables(namespace, 'ConsumedWriteCapacityUnits')),
    graph('Cost: read units', allTables(namespace, 'ConsumedReadCapacityUnits')),
  );
  return dashboard;
}

function linesOf(query: string): string {
  return `SEARCH('${query}', 'Sum', ${period.toSeconds()})`;
}

function math(expression: string, label?: string): MathExpression {
  return new MathExpression({ expression, ...(label !== undefined && { label }), usingMetrics: {}, period });
}

/** Adds up all functions, whose names start with the stack's: a graph with fifty lines is unreadable. */
function allFunctions(stackName: string, metricName: 'Errors' | 'Throttles' | 'Invocations' | 'Duration') {
  const query = `{AWS/Lambda,FunctionName} FunctionName=${stackName} MetricName="${metricName}"`;
  return math(`SUM(${linesOf(query)})`, metricName);
}

function allTables(stackName: string, metricName: 'ConsumedWriteCapacityUnits' | 'ConsumedReadCapacityUnits') {
  const of = (dimensions: string, label: string) =>
    math(
      `SUM(${linesOf(`{AWS/DynamoDB,${dimensions}} TableName=${stackName} MetricName="${metricName}"`)})`,
      `${metricName} of ${label}`,
    );
  return [of('TableName', 'tables'), of('TableName,GlobalSecondaryIndexName', 'indexes')];
}
