import { describe, expect, test } from 'vitest';
import { actionsOf, at, named, roleOf, target, stages, type Statement } from './stacks.ts';

describe.each(stages)(
  'the queues and event sources of the $stage stack',
  ({ stage, resources, all, functions, statementsOf, isDeadLetters }) => {
    /** Only production is reconciled, and has an archive. */
    const reconciling = stage === 'production' ? 1 : 0;

    test('every event source has a dead-letter queue', () => {
      const mappings = all('AWS::Lambda::EventSourceMapping');
      expect(mappings).toHaveLength(7 + reconciling);
      for (const { id, Properties } of mappings) {
        expect(Properties['FunctionResponseTypes'], id).toEqual(['ReportBatchItemFailures']);
        const source = resources.find((each) => each.id === target(Properties['EventSourceArn']))!;
        const kept =
          source.Type === 'AWS::SQS::Queue'
            ? at(source.Properties, 'RedrivePolicy', 'deadLetterTargetArn')
            : at(Properties, 'DestinationConfig', 'OnFailure', 'Destination');
        expect(isDeadLetters(target(kept)), id).toBe(true);
      }
    });

    // https://github.com/hookdeck/outpost/issues/663 and /issues/997: faulted retries came back every 30 s forever.
    test('every queue has its own dead-letter queue, for tickets that faulted five times', () => {
      const queues = all('AWS::SQS::Queue').filter(({ Properties }) => Properties['RedrivePolicy'] !== undefined);
      expect(queues).toHaveLength(5);
      const ends = queues.map(({ id, Properties }) => {
        expect(at(Properties, 'RedrivePolicy', 'maxReceiveCount'), id).toBe(5);
        return target(at(Properties, 'RedrivePolicy', 'deadLetterTargetArn'));
      });
      for (const end of ends) expect(isDeadLetters(end), end).toBe(true);
      expect(new Set(ends).size).toBe(5);
    });

    // https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html: a put-off ticket would end as a dead letter.
    test('Lambda does not stop a function that sends tickets to its own queue, however often, but any other loop', () => {
      const queueIds = new Set(all('AWS::SQS::Queue').map(({ id }) => id));
      const sendsToItself = all('AWS::Lambda::EventSourceMapping').flatMap(({ Properties }) => {
        const queue = target(Properties['EventSourceArn']);
        const consumer = named(functions, target(Properties['FunctionName']));
        const sendsTo = Object.values((at(consumer.Properties, 'Environment', 'Variables') ?? {}) as object).map(
          target,
        );
        return queueIds.has(queue) && sendsTo.includes(queue) ? [consumer.id] : [];
      });
      expect(sendsToItself).toHaveLength(2);
      for (const { id, Properties } of functions)
        expect(Properties['RecursiveLoop'], id).toBe(sendsToItself.includes(id) ? 'Allow' : undefined);
    });

    // A bad record blocks its shard for a day: https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
    test('the outbox stream is read from its start, new rows only, and no row blocks it for more than an hour', () => {
      const streams = all('AWS::Lambda::EventSourceMapping').filter(
        ({ id, Properties }) => id.startsWith('EventsPublishEvents') && Properties['StartingPosition'] !== undefined,
      );
      expect(streams).toHaveLength(1);
      const { Properties } = streams[0]!;
      expect(target(Properties['FunctionName'])).toBe(named(functions, 'EventsPublishEvents').id);
      expect(Properties).toMatchObject({
        StartingPosition: 'TRIM_HORIZON',
        BisectBatchOnFunctionError: true,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        MaximumRetryAttempts: 20,
        MaximumRecordAgeInSeconds: 3600,
      });
      // A row without a type is read so that it can be parked.
      const patterns = (at(Properties, 'FilterCriteria', 'Filters') as { Pattern: string }[]).map(
        ({ Pattern }) => JSON.parse(Pattern) as unknown,
      );
      expect(patterns).toEqual([
        {
          eventName: ['INSERT'],
          dynamodb: { NewImage: { type: { S: [{ 'anything-but': ['webhook.test'] }, { exists: false }] } } },
        },
      ]);
      const table = resources.find(({ id }) => id === target(Properties['EventSourceArn']))!;
      expect(at(table.Properties, 'StreamSpecification')).toEqual({ StreamViewType: 'NEW_IMAGE' });
    });

    // "Please ensure the role can perform the GetRecords, GetShardIterator, DescribeStream, and ListStreams Actions on your stream"
    test('every role that reads a stream has the four actions without which Lambda refuses the event source', () => {
      const streams = all('AWS::Lambda::EventSourceMapping').filter(
        ({ Properties }) => Properties['StartingPosition'] !== undefined,
      );
      expect(streams).toHaveLength(2 + reconciling);
      for (const { id, Properties } of streams) {
        const reader = named(functions, target(Properties['FunctionName']));
        const granted = statementsOf(roleOf(reader))
          .filter(({ Resource }) => JSON.stringify(Resource) === JSON.stringify(Properties['EventSourceArn']))
          .flatMap(actionsOf);
        expect(granted.sort(), id).toEqual([
          'dynamodb:DescribeStream',
          'dynamodb:GetRecords',
          'dynamodb:GetShardIterator',
          'dynamodb:ListStreams',
        ]);
      }
    });

    test('every function that EventBridge invokes has a dead-letter queue', () => {
      const invoked = all('AWS::Events::Rule')
        .flatMap(({ Properties }) => (Properties['Targets'] as { Arn: unknown }[]).map(({ Arn }) => target(Arn)))
        .filter((id) => functions.some((each) => each.id === id));
      expect(invoked).toHaveLength(4 + 2 * reconciling);
      const configs = all('AWS::Lambda::EventInvokeConfig');
      for (const id of invoked) {
        const config = configs.find(({ Properties }) => target(Properties['FunctionName']) === id);
        expect(isDeadLetters(target(at(config?.Properties, 'DestinationConfig', 'OnFailure', 'Destination'))), id).toBe(
          true,
        );
      }
    });

    test('every rule target has a dead-letter queue that only the rules with it may send to', () => {
      const rules = all('AWS::Events::Rule');
      expect(rules).toHaveLength(5 + 2 * reconciling);
      for (const rule of rules) {
        for (const { DeadLetterConfig } of rule.Properties['Targets'] as { DeadLetterConfig: { Arn: unknown } }[]) {
          const queue = target(DeadLetterConfig.Arn);
          expect(isDeadLetters(queue), rule.id).toBe(true);
          const policy = all('AWS::SQS::QueuePolicy').find(({ Properties }) =>
            (Properties['Queues'] as unknown[]).some((each) => target(each) === queue),
          )!;
          const fromRule = (at(policy.Properties, 'PolicyDocument', 'Statement') as Statement[]).filter(
            ({ Effect }) => Effect === 'Allow',
          );
          const sharing = rules.filter(({ Properties }) =>
            (Properties['Targets'] as { DeadLetterConfig: { Arn: unknown } }[]).some(
              (each) => target(each.DeadLetterConfig.Arn) === queue,
            ),
          );
          expect(fromRule, rule.id).toHaveLength(sharing.length);
          expect(fromRule, rule.id).toEqual(
            expect.arrayContaining(
              sharing.map(({ id }) =>
                expect.objectContaining({
                  Action: 'sqs:SendMessage',
                  Condition: { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [id, 'Arn'] } } },
                }),
              ),
            ),
          );
        }
      }
    });

    test("every queue hides a message for six times its consumer's timeout", () => {
      const consumed = all('AWS::Lambda::EventSourceMapping').filter(({ Properties }) =>
        all('AWS::SQS::Queue').some(({ id }) => id === target(Properties['EventSourceArn'])),
      );
      expect(consumed).toHaveLength(5);
      for (const { id, Properties } of consumed) {
        const queue = resources.find((each) => each.id === target(Properties['EventSourceArn']))!;
        const consumer = resources.find((each) => each.id === target(Properties['FunctionName']))!;
        expect(Number(queue.Properties['VisibilityTimeout']), id).toBeGreaterThanOrEqual(
          6 * Number(consumer.Properties['Timeout']),
        );
      }
    });

    test('every queue is encrypted and refuses plain HTTP', () => {
      for (const { id, Properties } of all('AWS::SQS::Queue')) {
        expect(Properties['SqsManagedSseEnabled'], id).toBe(true);
        const policy = all('AWS::SQS::QueuePolicy').find((each) =>
          (each.Properties['Queues'] as unknown[]).some((queue) => target(queue) === id),
        )!;
        expect(at(policy.Properties, 'PolicyDocument', 'Statement'), id).toContainEqual(
          expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        );
      }
    });
  },
);
