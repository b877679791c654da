import { describe, expect, test } from 'vitest';
import { metrics } from '../../../functions/contract/metrics.ts';
import { stages } from '../stacks.ts';

interface Widget {
  readonly properties: { title: string; metrics: unknown[][] };
}

/** AWS's own metrics, by namespace. */
const known: Record<string, readonly string[]> = {
  'AWS/Lambda': ['Errors', 'Throttles', 'Invocations', 'Duration'],
  'AWS/DynamoDB': ['ConsumedWriteCapacityUnits', 'ConsumedReadCapacityUnits'],
  'AWS/SNS': ['NumberOfMessagesPublished', 'NumberOfNotificationsDelivered'],
  'AWS/ApiGateway': ['Count', '4xx', '5xx'],
};

/** Replaces each `Ref` with its logical ID. */
function textOf(value: unknown): string {
  const { 'Fn::Join': joined, Ref } = Object(value) as { 'Fn::Join'?: [string, unknown[]]; Ref?: string };
  if (joined) return joined[1].map(textOf).join(joined[0]);
  return Ref ?? String(value);
}

describe.each(stages)('the operations dashboard of $stage', ({ all, outputs, resources }) => {
  const [dashboard] = all('AWS::CloudWatch::Dashboard');
  const text = textOf(dashboard?.Properties['DashboardBody']);
  const { widgets } = JSON.parse(text) as { widgets: Widget[] };
  const namespace = String(dashboard?.Properties['DashboardName']).replace(/-us-east-1$/, '');

  test('shows only metrics that exist', () => {
    const shown = widgets.flatMap(({ properties }) =>
      properties.metrics.flatMap((metric): string[][] => {
        const [first, name] = metric;
        if (typeof first === 'string') return [[first, String(name)]];
        const { expression } = first as { expression: string };
        // Its metrics come next.
        if (expression.startsWith('SUM([FILL(')) return [];
        const [, of = '', searched = ''] = /\{([^,]+),.*MetricName="(\w+)"/.exec(expression) ?? [];
        return [[of, searched]];
      }),
    );
    expect(shown.length).toBeGreaterThan(15);
    for (const [of = '', name = ''] of shown)
      expect(of === namespace ? Object.keys(metrics) : known[of], `${of} ${name}`).toContain(name);
  });

  test('searches only by dimensions that the metrics have, and in this stack', () => {
    const searches = [...text.matchAll(/SEARCH\('\{([^}]+)\} ([^']+)'/g)];
    expect(searches.length).toBeGreaterThan(6);
    for (const [, schema = '', query = ''] of searches) {
      const [of, ...dimensions] = schema.split(',');
      if (of === namespace) {
        const [, name = ''] = /MetricName=\\?"(\w+)/.exec(query) ?? [];
        expect(metrics[name as keyof typeof metrics]).toMatchObject({ dimension: dimensions.join() });
      } else expect(query).toMatch(new RegExp(`(Function|Table)Name=${namespace} `));
    }
  });

  test('says what happens to sessions and webhooks, how late work is, what fails and what costs', () => {
    expect(widgets.map(({ properties }) => properties.title)).toEqual([
      'Sessions by outcome',
      'Webhook attempts by outcome',
      'Event to webhook, milliseconds',
      'Age of the oldest work, seconds',
      'Requests',
      'Errors and throttles of functions',
      'Errors logged, by function',
      'Sign-ins that failed, and addresses that did not answer',
      'Alarm emails: if none is delivered, nobody has confirmed an address',
      'Cost: invocations',
      'Cost: duration of functions, milliseconds',
      'Cost: write units',
      'Cost: read units',
    ]);
  });

  test('has its address among the outputs', () => {
    expect(resources.filter(({ Type }) => Type === 'AWS::CloudWatch::Dashboard')).toHaveLength(1);
    expect(textOf(outputs['OperationsDashboardUrl']?.Value)).toBe(
      `https://us-east-1.console.aws.amazon.com/cloudwatch/home?region=us-east-1#dashboards:name=${dashboard?.id}`,
    );
  });
});
