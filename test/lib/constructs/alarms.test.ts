import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { metrics, type Measurement } from '../../../functions/contract/metrics.ts';
import { stuckAfter, sweepWait } from '../../../functions/domain/due.ts';
import { day, minute, second } from '../../../functions/domain/time.ts';
import { embeddedMetrics } from '../../../functions/log.ts';
import { isOn, pointsIn } from '../../support/alarms.ts';
import { stages } from '../stacks.ts';

interface OneMetric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: { Name: string; Value: unknown }[];
}

interface AlarmProperties {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly AlarmActions: { Ref: string }[];
  readonly Namespace?: string;
  readonly MetricName?: string;
  readonly Metrics?: { Expression?: string; MetricStat?: { Metric: OneMetric; Period: number; Stat: string } }[];
  readonly Dimensions?: { Name: string; Value: unknown }[];
  readonly Threshold: number;
  readonly Period: number;
  readonly EvaluationPeriods: number;
  readonly ComparisonOperator: string;
  readonly TreatMissingData: string;
}

const root = resolve(import.meta.dirname, '../../..');
const operatorDocs = readFileSync(join(root, 'web/docs/runbook.md'), 'utf8');
const stackName = 'PatientInvoicePaymentProduction';
const [, { outputs, resources, all: allOf }] = stages;
const all = (type: string) => allOf(type).map((resource) => [resource.id, resource] as const);
const alarms = all('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties as unknown as AlarmProperties);
const alarm = (name: string) => alarms.find(({ AlarmName }) => AlarmName === `${stackName}-${name}`);

const metricsOf = ({ Namespace, MetricName, Dimensions, Metrics = [] }: AlarmProperties): OneMetric[] =>
  Namespace === undefined || MetricName === undefined
    ? Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? [])
    : [{ Namespace, MetricName, ...(Dimensions && { Dimensions }) }];

const template = { Resources: Object.fromEntries(resources.map((each) => [each.id, each])) };

/** What CloudWatch reads if a function writes this with its log line, in each of the last periods. */
function logged(metric: string, value: number, { by, periods = 1, period = minute }: Logged = {}) {
  const now = Date.now();
  const times = Array.from({ length: periods }, (_, index) => now - index * period);
  const measurement = { metric, value, by } as Measurement;
  return pointsIn(times.map((time) => JSON.stringify(embeddedMetrics([measurement], stackName, time))));
}

interface Logged {
  readonly by?: unknown;
  readonly periods?: number;
  readonly period?: number;
}

const onOwnMetrics = alarms.filter(({ MetricName }) => MetricName !== undefined && MetricName in metrics);

const queuesIn = (value: unknown) => {
  const text = JSON.stringify(value);
  return all('AWS::SQS::Queue').flatMap(([id]) => (text.includes(`"${id}"`) ? [id] : []));
};

describe('an alarm', () => {
  test('goes off with the first message in any dead-letter queue', () => {
    const ends = new Set([
      ...all('AWS::SQS::Queue').flatMap(([, { Properties }]) => queuesIn(Properties['RedrivePolicy'] ?? null)),
      ...all('AWS::Lambda::EventSourceMapping').flatMap(([, { Properties }]) =>
        queuesIn(Properties['DestinationConfig'] ?? null),
      ),
      ...all('AWS::Lambda::EventInvokeConfig').flatMap(([, { Properties }]) =>
        queuesIn(Properties['DestinationConfig'] ?? null),
      ),
      ...all('AWS::Events::Rule').flatMap(([, { Properties }]) =>
        (Properties['Targets'] as { DeadLetterConfig: unknown }[]).flatMap(({ DeadLetterConfig }) =>
          queuesIn(DeadLetterConfig),
        ),
      ),
      ...all('AWS::Lambda::Function').flatMap(([, { Properties }]) =>
        queuesIn(
          (Properties['Environment'] as { Variables?: Record<string, unknown> } | undefined)?.Variables?.[
            'UNREADABLE_EVENTS_QUEUE_URL'
          ] ?? null,
        ),
      ),
    ]);
    expect(ends.size).toBe(15);
    const watching = alarms.filter(({ MetricName }) => MetricName === 'ApproximateNumberOfMessagesVisible');
    expect(watching.flatMap(({ Dimensions }) => queuesIn(Dimensions)).sort()).toEqual([...ends].sort());
    for (const each of watching) {
      expect(each, each.AlarmName).toMatchObject({
        Threshold: 0,
        ComparisonOperator: 'GreaterThanThreshold',
        EvaluationPeriods: 1,
        Period: 60,
        Statistic: 'Maximum',
        TreatMissingData: 'notBreaching',
      });
    }
  });

  test('of a dead-letter queue has its name in the redrive command, and every such queue has one', () => {
    const output = JSON.stringify(outputs['OperatorSettings']);
    const watching = alarms
      .filter(({ MetricName }) => MetricName === 'ApproximateNumberOfMessagesVisible')
      .map(({ AlarmName }) => AlarmName.slice(stackName.length + 1));
    const names = [...output.matchAll(/\\"name\\":\\"(\w+)\\"/g)].map(([, name]) => name);
    expect(names.sort()).toEqual(watching.sort());
    const kept = all('AWS::SQS::Queue').filter(
      ([, { Properties }]) => Properties['MessageRetentionPeriod'] === 14 * 24 * 3600,
    );
    expect(kept).toHaveLength(names.length);
  });

  test.each(onOwnMetrics.map((each) => [each.AlarmName.slice(stackName.length + 1), each] as const))(
    '%s is on if the functions log values above its threshold, and off for values at it',
    (name, { MetricName = '', Threshold, Period, EvaluationPeriods, Dimensions = [] }) => {
      const whole = { periods: EvaluationPeriods, period: Period * second, by: Dimensions[0]?.Value };
      expect(isOn(template, name, logged(MetricName, Threshold + 1, whole))).toBe(true);
      expect(isOn(template, name, logged(MetricName, Threshold, whole))).toBe(false);
    },
  );

  test('goes off five minutes after the sweep stops or falls behind', () => {
    expect(alarm('SweepAge')).toMatchObject({
      Namespace: stackName,
      MetricName: 'SweepAge',
      Threshold: 300,
      Statistic: 'Maximum',
      Period: 60,
      EvaluationPeriods: 5,
      TreatMissingData: 'breaching',
    });
  });

  test('goes off for work that the sweep has retried for an hour, and stays on between retries', () => {
    expect(alarm('StuckWork')).toMatchObject({
      Namespace: stackName,
      MetricName: 'SweepAge',
      Threshold: stuckAfter / second,
      Statistic: 'Maximum',
      Period: 60,
      DatapointsToAlarm: 1,
      TreatMissingData: 'notBreaching',
    });
    const remembered = (alarm('StuckWork')?.EvaluationPeriods ?? 0) * minute;
    expect(remembered).toBeGreaterThan(sweepWait(1000) + minute);
    // CloudWatch's limit for one-minute periods.
    expect(remembered).toBeLessThanOrEqual(day);
  });

  test('goes off for a debit or a cancellation without an answer from the processor for an hour', () => {
    for (const name of ['OldestUnsubmittedDebit', 'OldestOpenCancellation']) {
      expect(alarm(name)).toMatchObject({
        Namespace: stackName,
        MetricName: name,
        Threshold: 3600,
        Statistic: 'Maximum',
        EvaluationPeriods: 1,
        TreatMissingData: 'notBreaching',
      });
    }
  });

  test.each([
    'MoneyForCancelledSession',
    'ReturnedAfterRefund',
    'FailedRefunds',
    'IllegalTransitions',
    'RejectedProcessorCalls',
    'UnknownDebits',
  ])('goes off with the first of %s', (name) => {
    expect(alarm(name)).toMatchObject({
      Namespace: stackName,
      MetricName: name,
      Threshold: 0,
      Statistic: 'Sum',
      EvaluationPeriods: 1,
    });
  });

  test('goes off when one audit entry holds up the emails about the others', () => {
    expect(alarm('AuditStreamAge')).toMatchObject({
      Namespace: 'AWS/Lambda',
      MetricName: 'IteratorAge',
      Dimensions: [
        { Name: 'FunctionName', Value: { Ref: expect.stringMatching(/^NotificationsNotifyAdmins/) as unknown } },
      ],
      Threshold: 10 * minute,
      Statistic: 'Maximum',
      Period: 300,
      EvaluationPeriods: 2,
      TreatMissingData: 'notBreaching',
    });
  });

  test('goes off with the first notification that never came, and when nothing was compared for three hours', () => {
    expect(alarm('ReconciliationDifferences')).toMatchObject({ Threshold: 0, Statistic: 'Sum', EvaluationPeriods: 1 });
    expect(alarm('ReconciliationAge')).toMatchObject({
      Threshold: 10_800,
      Statistic: 'Maximum',
      Period: 3600,
      TreatMissingData: 'breaching',
    });
  });

  test('goes off with the first account that owes money, and stays on while the hourly count may be late', () => {
    expect(alarm('NegativeBalances')).toMatchObject({
      Threshold: 0,
      Statistic: 'Sum',
      Period: 3600,
      EvaluationPeriods: 2,
      DatapointsToAlarm: 1,
      TreatMissingData: 'notBreaching',
    });
  });

  test('goes off with the first copy of evidence that the archive lacks', () => {
    expect(alarm('EvidenceNotArchived')).toMatchObject({ Threshold: 0, Statistic: 'Sum', EvaluationPeriods: 1 });
  });

  test("goes off at half of Nacha's ceilings", () => {
    expect(alarm('ReturnRate')).toMatchObject({ Threshold: 49, Statistic: 'Maximum', EvaluationPeriods: 1 });
  });

  test('goes off when the event stream is read late', () => {
    expect(alarm('StreamAge')).toMatchObject({
      Namespace: 'AWS/Lambda',
      MetricName: 'IteratorAge',
      Threshold: 60_000,
      EvaluationPeriods: 5,
    });
    expect(JSON.stringify(alarm('StreamAge')?.Dimensions)).toContain('EventsPublishEvents');
  });

  test('goes off when three endpoints that had worked begin to fail in an hour in which no webhook is delivered', () => {
    const { Metrics = [], ...rest } = alarm('NoWebhookDelivered') ?? {};
    expect(rest).toMatchObject({
      Threshold: 2,
      DatapointsToAlarm: 1,
      EvaluationPeriods: 6,
      TreatMissingData: 'notBreaching',
    });
    expect(Metrics.flatMap(({ Expression }) => Expression ?? [])).toEqual(['IF(delivered == 0, outages, 0)']);
    expect(
      Metrics.flatMap(({ MetricStat }) =>
        MetricStat ? [[MetricStat.Metric.MetricName, MetricStat.Stat, MetricStat.Period]] : [],
      ),
    ).toEqual([
      ['WebhooksDelivered', 'Sum', 3600],
      ['EndpointOutages', 'Sum', 3600],
    ]);
  });

  test('on webhooks is off as long as one of them is delivered', () => {
    const outages = logged('EndpointOutages', 3);
    expect(isOn(template, 'NoWebhookDelivered', [...outages, ...logged('WebhooksDelivered', 0)])).toBe(true);
    expect(isOn(template, 'NoWebhookDelivered', [...outages, ...logged('WebhooksDelivered', 1)])).toBe(false);
  });

  test('goes off when one webhook in a hundred is sent a minute after its event, for a quarter of an hour', () => {
    expect(alarm('CommitToPost')).toMatchObject({
      MetricName: 'CommitToPost',
      ExtendedStatistic: 'p99',
      Threshold: 60_000,
      Period: 300,
      EvaluationPeriods: 3,
      TreatMissingData: 'notBreaching',
    });
  });

  test('goes off when the gateway throttles a route that exists, or rejects most of many requests', () => {
    const [filter, ...others] = all('AWS::Logs::MetricFilter').map(([, { Properties }]) => Properties);
    expect(others).toEqual([]);
    expect(filter).toMatchObject({
      FilterPattern: '{ ($.status = "429") && ($.integrationLatency = "-") && ($.routeKey != "$default") }',
      MetricTransformations: [{ MetricNamespace: stackName, MetricName: 'ThrottledRequests', MetricValue: '1' }],
    });
    const format = JSON.stringify(
      all('AWS::ApiGatewayV2::Stage').map(([, { Properties }]) => Properties['AccessLogSettings']),
    );
    for (const field of ['status', 'integrationLatency', 'routeKey'])
      expect(format).toContain(`\\"${field}\\":\\"$context.`);
    expect(alarm('ThrottledRequests')).toMatchObject({
      Threshold: 50,
      Statistic: 'Sum',
      Period: 300,
      EvaluationPeriods: 1,
    });
    const { Metrics = [], ...rest } = alarm('ClientErrors') ?? {};
    expect(rest).toMatchObject({ Threshold: 50, EvaluationPeriods: 1, TreatMissingData: 'notBreaching' });
    expect(
      Metrics.flatMap(({ MetricStat }) => (MetricStat ? [[MetricStat.Metric.MetricName, MetricStat.Stat]] : [])),
    ).toEqual([
      ['4xx', 'Sum'],
      ['4xx', 'Sum'],
      ['Count', 'SampleCount'],
      ['Count', 'SampleCount'],
    ]);
  });

  test('on our own metrics uses a name and dimensions that the functions or the access log write', () => {
    const fromLogs = all('AWS::Logs::MetricFilter').flatMap(([, { Properties }]) =>
      (Properties['MetricTransformations'] as OneMetric[]).map(({ MetricName }) => MetricName),
    );
    const own = alarms.flatMap(metricsOf).filter(({ Namespace }) => !Namespace.startsWith('AWS/'));
    expect(own.length).toBeGreaterThan(0);
    for (const { Namespace, MetricName, Dimensions } of own) {
      expect(Namespace).toBe(stackName);
      expect([...Object.keys(metrics), ...fromLogs]).toContain(MetricName);
      // Without dimensions it is the total.
      for (const { Name } of Dimensions ?? [])
        expect(metrics[MetricName as keyof typeof metrics]).toMatchObject({ dimension: Name });
    }
    const functions = all('AWS::Lambda::Function').filter(
      ([, { Properties }]) => Properties['Runtime'] === 'nodejs24.x',
    );
    expect(functions.length).toBeGreaterThan(0);
    for (const [id, { Properties }] of functions)
      expect(Properties['Environment'], id).toMatchObject({ Variables: { METRICS_NAMESPACE: stackName } });
  });

  test('reaches the subscribers of a topic that only CloudWatch may publish to, over TLS', () => {
    const [[topic] = ['']] = all('AWS::SNS::Topic');
    for (const { AlarmName, AlarmActions } of alarms) expect(AlarmActions, AlarmName).toEqual([{ Ref: topic }]);
    const [policy] = all('AWS::SNS::TopicPolicy').map(
      ([, { Properties }]) => Properties['PolicyDocument'] as { Statement: object[] },
    );
    const { Statement = [] } = policy ?? {};
    expect(Statement).toHaveLength(2);
    expect(Statement).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
    expect(Statement).toContainEqual({
      Sid: expect.any(String) as string,
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Action: 'sns:Publish',
      Resource: { Ref: topic },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    });
    expect(outputs['AlarmTopic']?.Value).toEqual({ Ref: topic });
  });

  test('says whom it affects, and links to its section of the runbook', () => {
    const [, runbook = ''] = /^## Alarms\n([\s\S]*?)^## /m.exec(operatorDocs) ?? [];
    const sections = runbook.split(/^### /m).slice(1);
    const complete = sections.flatMap((section) => {
      const [name = ''] = section.split('\n');
      return /^- \*\*Impact:\*\* .+\n[^]*^- \*\*Check:\*\* .+\n[^]*^- \*\*Fix:\*\* /m.test(section) ? [name] : [];
    });
    const described = alarms.map(({ AlarmName, AlarmDescription }) => {
      const name = AlarmName.slice(stackName.length + 1);
      const link = ` Runbook: web/docs/runbook.md#${name.toLowerCase()}`;
      expect(AlarmDescription, AlarmName).toMatch(/patient|practice|payment|session/i);
      expect(AlarmDescription.endsWith(link), AlarmDescription).toBe(true);
      return name;
    });
    expect(complete.sort()).toEqual(described.sort());
  });

  test('has a runbook that names only log messages the functions write', () => {
    const [, runbook = ''] = /^## Alarms\n([\s\S]*?)^## /m.exec(operatorDocs) ?? [];
    const sources = globSync('functions/**/*.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
    const messages = new Set(
      sources.flatMap((source) => [...source.matchAll(/\blog\w+\(\s*'([^']+)'/g)].map(([, message]) => message)),
    );
    const named = [...runbook.matchAll(/`([a-z]+(?: [a-z]+)+)`/g)].map(([, message]) => message);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((message) => !messages.has(message))).toEqual([]);
  });
});

test('the operator docs list every metric with its unit and dimension, and no other', () => {
  const rows = [...operatorDocs.matchAll(/^\| `(\w+)` \| (count|milliseconds|percent|seconds) \| (?:`(\w+)`)? ?\|/gm)];
  const documented = rows.map(([, name, unit, dimension]) => [name, unit, dimension]);
  const written = Object.entries(metrics).map(([name, metric]) => [
    name,
    metric.unit.toLowerCase(),
    'dimension' in metric ? metric.dimension : undefined,
  ]);
  expect(documented.sort()).toEqual(written.sort());
});
