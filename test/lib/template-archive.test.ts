import { describe, expect, test } from 'vitest';
import { actionsOf, at, named, roleOf, stages, target } from './stacks.ts';

const [sandbox, { all, functions, lambdas, resources, outputs, statementsOf }] = stages;

const bucket = () => named(resources, 'EvidenceArchiveBucket');
const days = 7 * 365 + 2;

test('only production has an archive of evidence', () => {
  expect(sandbox.resources.filter(({ id }) => id.startsWith('EvidenceArchive'))).toEqual([]);
  expect(outputs['EvidenceArchiveBucket']?.Value).toEqual({ Ref: bucket().id });
});

describe('the archive of evidence', () => {
  test('keeps each version of an object for seven years, and then deletes it', () => {
    expect(bucket().Properties).toMatchObject({
      ObjectLockEnabled: true,
      ObjectLockConfiguration: {
        ObjectLockEnabled: 'Enabled',
        Rule: { DefaultRetention: { Mode: 'GOVERNANCE', Days: days } },
      },
      VersioningConfiguration: { Status: 'Enabled' },
    });
    expect(at(bucket().Properties, 'LifecycleConfiguration', 'Rules')).toEqual([
      { Status: 'Enabled', ExpirationInDays: days + 1, NoncurrentVersionExpiration: { NoncurrentDays: 1 } },
    ]);
  });

  test('outlives the stack, is encrypted without a key that can be deleted, private, and only behind TLS', () => {
    expect(bucket()).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(at(bucket().Properties, 'BucketEncryption', 'ServerSideEncryptionConfiguration')).toEqual([
      { ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } },
    ]);
    expect(at(bucket().Properties, 'PublicAccessBlockConfiguration')).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    const policies = all('AWS::S3::BucketPolicy').filter(
      ({ Properties }) => target(Properties['Bucket']) === bucket().id,
    );
    expect(policies.map(({ Properties }) => at(Properties, 'PolicyDocument', 'Statement'))).toEqual([
      [expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } })],
    ]);
  });

  test('is written by one function and checked by another; none deletes, or shortens how long it is kept', () => {
    const touching = lambdas.flatMap((each) => {
      const actions = statementsOf(roleOf(each))
        .filter(({ Resource }) => JSON.stringify(Resource).includes(`"${bucket().id}"`))
        .flatMap(actionsOf);
      return actions.length > 0 ? [[each.id.replace(/[0-9A-F]{8}$/, ''), ...actions.sort()]] : [];
    });
    expect(touching.sort()).toEqual([
      ['EvidenceArchiveCopy', 's3:PutObject'],
      ['ReconciliationFunction', 's3:GetObject', 's3:ListBucket', 's3:PutObject'],
    ]);
  });

  test('is filled from the stream of events, apart from what publishes them', () => {
    const events = named(all('AWS::DynamoDB::GlobalTable'), 'DataEvents').id;
    const readers = all('AWS::Lambda::EventSourceMapping').filter(
      ({ Properties }) => target(Properties['EventSourceArn']) === events,
    );
    // A shard has room for two.
    expect(readers.map(({ Properties }) => target(Properties['FunctionName'])).sort()).toEqual(
      [named(functions, 'EvidenceArchiveCopy').id, named(functions, 'EventsPublishEvents').id].sort(),
    );
    const [copying] = readers.filter(({ id }) => id.startsWith('EvidenceArchive'));
    expect(copying?.Properties).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      MaximumRecordAgeInSeconds: 3600,
    });
    const [filter] = at(copying?.Properties, 'FilterCriteria', 'Filters') as { Pattern: string }[];
    expect(JSON.parse(filter?.Pattern ?? '')).toEqual({
      eventName: ['INSERT'],
      dynamodb: { NewImage: { type: { S: ['session.payment.processing'] } } },
    });
  });
});

describe.each(stages)('the table of evidence of the $stage stack', (stack) => {
  test('has a policy that forbids everybody to change or delete a row, and to put one outside of a transaction or without need', () => {
    const { Properties, id } = named(stack.all('AWS::DynamoDB::GlobalTable'), 'DataAuthorizations');
    const [replica] = Properties['Replicas'] as object[];
    expect(at(replica, 'ResourcePolicy', 'PolicyDocument', 'Statement')).toEqual([
      {
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: [
          'dynamodb:BatchWriteItem',
          'dynamodb:DeleteItem',
          'dynamodb:PartiQLDelete',
          'dynamodb:PartiQLInsert',
          'dynamodb:PartiQLUpdate',
          'dynamodb:UpdateItem',
        ],
        Resource: '*',
      },
      {
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: 'dynamodb:PutItem',
        Condition: { 'ForAllValues:StringNotEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] } },
        Resource: '*',
      },
      {
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: 'dynamodb:PutItem',
        Condition: {
          ArnNotEquals: {
            'aws:PrincipalArn': stack
              .allowed('dynamodb:PutItem', id)
              .map((each) => ({ 'Fn::GetAtt': [roleOf(each), 'Arn'] })),
          },
        },
        Resource: '*',
      },
    ]);
    expect(stack.allowed('dynamodb:PutItem', id)).toHaveLength(stack.stage === 'sandbox' ? 2 : 1);
  });
});
