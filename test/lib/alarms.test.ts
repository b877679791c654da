import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { metrics } from '../../functions/contract/metrics.ts';
import { stuckAfter, sweepWait } from '../../functions/domain/due.ts';
import { day, minute, second } from '../../functions/domain/time.ts';
import { synthesize } from '../../lib/synthesize.ts';

interface AlarmProperties {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly AlarmActions: { Ref: string }[];
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: { Name: string; Value: unknown }[];
  readonly Threshold: number;
  readonly Period: number;
  readonly EvaluationPeriods: number;
  readonly ComparisonOperator: string;
  readonly TreatMissingData: string;
}

interface Resource {
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
}

const stackName = 'PatientInvoicePaymentProduction';
const directory = await mkdtemp(join(tmpdir(), 'payment-alarms-'));
afterAll(() => rm(directory, { recursive: true, force: true }));
const { template } = await synthesize({ stage: 'production', outdir: directory });
const resources = Object.entries((template as { Resources: Record<string, Resource> }).Resources);
const all = (type: string) => resources.filter(([, { Type }]) => Type === type);
const alarms = all('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties as unknown as AlarmProperties);
const alarm = (name: string) => alarms.find(({ AlarmName }) => AlarmName === `${stackName}-${name}`);

/** The logical ids in a value that are of queues. */
const queuesIn = (value: unknown) => {
  const text = JSON.stringify(value);
  return all('AWS::SQS::Queue').flatMap(([id]) => (text.includes(`"${id}"`) ? [id] : []));
};

describe('an alarm', () => {
  test('watches every queue that failures end in, from the first message on', () => {
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
    expect(ends.size).toBe(10);
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

  test("has the name by which the operator's command moves its queue's messages back, and there is no other queue of failures", () => {
    const output = JSON.stringify(
      (template as { Outputs: Record<string, { Value: unknown }> }).Outputs['OperatorSettings'],
    );
    const watching = alarms
      .filter(({ MetricName }) => MetricName === 'ApproximateNumberOfMessagesVisible')
      .map(({ AlarmName }) => AlarmName.slice(stackName.length + 1));
    const names = [...output.matchAll(/\\\"name\\\":\\\"(\w+)\\\"/g)].map(([, name]) => name);
    expect(names.sort()).toEqual(watching.sort());
    const kept = all('AWS::SQS::Queue').filter(
      ([, { Properties }]) => Properties['MessageRetentionPeriod'] === 14 * 24 * 3600,
    );
    expect(kept).toHaveLength(names.length);
  });

  test('is raised five minutes after the sweep stopped or fell behind', () => {
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

  test('is raised for whatever the sweep has taken up for an hour in vain, and stays until it is not taken up any more, six hours apart as that may be', () => {
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
    // The most that CloudWatch looks at in minutes.
    expect(remembered).toBeLessThanOrEqual(day);
  });

  test('is raised for a debit or a cancellation that the processor has not answered for an hour', () => {
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

  test('is raised by the first debit that was executed for a cancelled session', () => {
    expect(alarm('MoneyForCancelledSession')).toMatchObject({
      Namespace: stackName,
      MetricName: 'MoneyForCancelledSession',
      Threshold: 0,
      Statistic: 'Sum',
      EvaluationPeriods: 1,
    });
  });

  test('is raised when the stream of events is read late', () => {
    expect(alarm('StreamAge')).toMatchObject({
      Namespace: 'AWS/Lambda',
      MetricName: 'IteratorAge',
      Threshold: 60_000,
      EvaluationPeriods: 5,
    });
    expect(JSON.stringify(alarm('StreamAge')?.Dimensions)).toContain('EventsPublishEvents');
  });

  test('on a metric of ours names one that functions write, where they write it', () => {
    const own = alarms.filter(({ Namespace }) => !Namespace.startsWith('AWS/'));
    expect(own.length).toBeGreaterThan(0);
    for (const { MetricName, Dimensions } of own) {
      expect(Object.keys(metrics)).toContain(MetricName);
      expect(Dimensions, 'the total').toBeUndefined();
    }
    const functions = all('AWS::Lambda::Function').filter(
      ([, { Properties }]) => Properties['Runtime'] === 'nodejs24.x',
    );
    expect(functions.length).toBeGreaterThan(0);
    for (const [id, { Properties }] of functions)
      expect(Properties['Environment'], id).toMatchObject({ Variables: { METRICS_NAMESPACE: stackName } });
  });

  test('reaches whoever subscribed to the topic, which CloudWatch may publish to and nobody may in plain text', () => {
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
    expect((template as { Outputs: Record<string, { Value: unknown }> }).Outputs['AlarmTopic']?.Value).toEqual({
      Ref: topic,
    });
  });

  test('says what it means for people, and the README says on a line of its own what to do', () => {
    const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');
    const lines = [...readme.matchAll(/^\| <a id="([\w-]+)"><\/a>`(\w+)` \| (.+) \| (.+) \|$/gm)].map(
      ([, anchor, name]) => `${name} README.md#${anchor}`,
    );
    const described = alarms.map(({ AlarmName, AlarmDescription }) => {
      const [, people, anchor] =
        /^(.*(?:patient|practice|payment|session).*) What to do: (README\.md#[\w-]+)$/i.exec(AlarmDescription) ?? [];
      expect(people, AlarmName).toBeDefined();
      return `${AlarmName.slice(stackName.length + 1)} ${anchor}`;
    });
    expect(lines.sort()).toEqual(described.sort());
  });
});

test('the stack stays far from what CloudFormation allows', () => {
  expect(resources.length).toBeLessThan(400);
});
