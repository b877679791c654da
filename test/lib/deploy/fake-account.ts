import { CloudFormationClient, CloudFormationServiceException, type StackStatus } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { kindsOf } from '../../../lib/deploy/removal/kinds.ts';
import { backupKeyDescription } from '../../../lib/settings/backup-vault.ts';
import { stackDescriptions, stackNames, type StageName } from '../../../lib/settings/stage.ts';
import { answered, type Answer } from '../../support/answered-client.ts';

export interface FakeStack {
  readonly id: string;
  status: StackStatus;
  isProtected?: boolean;
  /** Keyed by physical ID. */
  readonly resources: Map<string, { type: string; status: string }>;
  /** What an update took out of the stack but kept, by physical ID. */
  readonly dropped?: ReadonlyMap<string, string>;
  /** What CloudFormation fails to delete the first time. */
  readonly stuck?: string[];
}

const retained = [
  'AWS::DynamoDB::GlobalTable',
  'AWS::KMS::Key',
  'AWS::S3::Bucket',
  'AWS::Logs::LogGroup',
  'AWS::Cognito::UserPool',
  'AWS::Lambda::Version',
];
const config = { region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };

/** An AWS account of the test: its stacks, and what exists beside them. Records every command. */
export function fakeAccount({
  stage = 'sandbox',
  stacks,
  nested = [],
  locked = [],
  refusing = [],
  description = stackDescriptions[stage],
}: {
  stage?: StageName;
  stacks: FakeStack[];
  /** Known by their IDs, and deleted with the stack that has them as a resource. */
  nested?: FakeStack[];
  /** Buckets with files under Object Lock. */
  locked?: string[];
  /** What AWS refuses to delete. */
  refusing?: string[];
  description?: string;
}) {
  const name = stackNames[stage];
  const existing = new Set(
    [...stacks, ...nested].flatMap(({ resources, dropped = [] }) => [
      ...resources.keys(),
      ...[...dropped].map(([id]) => id),
    ]),
  );
  const guarded = new Set(existing);
  const files = new Map([...existing].map((id) => [id, locked.includes(id) ? 1 : 2500]));
  const sent: { command: string; input: Readonly<Record<string, unknown>> }[] = [];
  const client = <Client>(bare: Client, answer: Answer) => answered(bare, answer, sent).client;
  const missing = () => new ResourceNotFoundException({ message: 'not found', $metadata: {} });
  const require = (id: unknown) => {
    if (!existing.has(String(id))) throw missing();
  };
  const remove = (id: unknown) => {
    require(id);
    if (refusing.includes(String(id))) throw new Error('AccessDenied');
    existing.delete(String(id));
    return {};
  };
  const find = (nameOrId: unknown) =>
    nested.find(({ id }) => id === nameOrId) ??
    stacks.find(({ id, status }) => id === nameOrId || (nameOrId === name && status !== 'DELETE_COMPLETE'));
  const deleteResources = ({ resources, stuck }: FakeStack, skipped: readonly string[]) => {
    for (const [id, resource] of resources)
      if (stuck?.includes(id) && !skipped.includes(`Logical${id}`)) resource.status = 'DELETE_FAILED';
      else if (retained.includes(resource.type) || skipped.includes(`Logical${id}`)) resource.status = 'DELETE_SKIPPED';
      else {
        resource.status = 'DELETE_COMPLETE';
        existing.delete(id);
        for (const each of nested) if (each.id === id) deleteResources(each, []);
      }
  };

  const cloudFormation = client(new CloudFormationClient(config), (command, input) => {
    if (command === 'ListStacks')
      return {
        StackSummaries: stacks
          .filter(({ status }) => status === 'DELETE_COMPLETE')
          .map(({ id }) => ({ StackName: name, StackId: id, TemplateDescription: description })),
      };
    const stack = find(input['StackName']);
    if (!stack)
      throw new CloudFormationServiceException({
        name: 'ValidationError',
        message: `Stack with id ${String(input['StackName'])} does not exist`,
        $fault: 'client',
        $metadata: {},
      });
    switch (command) {
      case 'DescribeStacks':
        return {
          Stacks: [
            {
              StackName: name,
              StackId: stack.id,
              StackStatus: stack.status,
              Description: description,
              EnableTerminationProtection: stack.isProtected,
            },
          ],
        };
      case 'ListStackResources': {
        const start = Number(input['NextToken'] ?? 0);
        const page = [...stack.resources].slice(start, start + 100);
        return {
          StackResourceSummaries: page.map(([id, { type, status }]) => ({
            LogicalResourceId: `Logical${id}`,
            PhysicalResourceId: id,
            ResourceType: type,
            ResourceStatus: status,
          })),
          ...(start + 100 < stack.resources.size && { NextToken: String(start + 100) }),
        };
      }
      case 'DescribeStackEvents':
        return {
          StackEvents: [
            {
              PhysicalResourceId: 'function3',
              ResourceType: 'AWS::Lambda::Function',
              ResourceStatus: 'DELETE_COMPLETE',
            },
            ...nested
              .filter(({ id }) => !stack.resources.has(id))
              .map(({ id }) => ({
                PhysicalResourceId: id,
                ResourceType: 'AWS::CloudFormation::Stack',
                ResourceStatus: 'DELETE_COMPLETE',
              })),
            ...[...(stack.dropped ?? [])].map(([PhysicalResourceId, ResourceType]) => ({
              PhysicalResourceId,
              ResourceType,
              ResourceStatus: 'DELETE_SKIPPED',
            })),
          ],
        };
      case 'UpdateTerminationProtection':
        stack.isProtected = input['EnableTerminationProtection'] === true;
        return {};
      case 'DeleteStack': {
        if (stack.isProtected)
          throw new Error(`Stack [${name}] cannot be deleted while TerminationProtection is enabled`);
        deleteResources(stack, (input['RetainResources'] as string[] | undefined) ?? []);
        const isStuck = [...stack.resources.values()].some(({ status }) => status === 'DELETE_FAILED');
        stack.status = isStuck ? 'DELETE_FAILED' : 'DELETE_COMPLETE';
        return {};
      }
      default:
        return undefined;
    }
  });
  const dynamodb = client(new DynamoDBClient(config), (command, { TableName }) => {
    if (command === 'ListTables') return { TableNames: [...existing] };
    require(TableName);
    const id = String(TableName);
    if (command === 'UpdateTable') guarded.delete(id);
    if (command !== 'DeleteTable')
      return { Table: { TableStatus: 'ACTIVE', DeletionProtectionEnabled: guarded.has(id) } };
    if (guarded.has(id)) throw new Error('the table is protected against deletion');
    return remove(id);
  });
  const s3 = client(new S3Client(config), (command, { Bucket, Delete, BucketRegion }) => {
    if (command === 'ListBuckets')
      return { Buckets: [...existing].map((Name) => ({ Name })).filter(() => BucketRegion === config.region) };
    require(Bucket);
    const id = String(Bucket);
    const left = files.get(id) ?? 0;
    if (command === 'GetObjectLockConfiguration') {
      if (locked.includes(id)) return { ObjectLockConfiguration: { ObjectLockEnabled: 'Enabled' } };
      throw Object.assign(new Error('none'), { name: 'ObjectLockConfigurationNotFoundError' });
    }
    if (command === 'ListObjectVersions')
      return { Versions: Array.from({ length: Math.min(left, 1000) }, (_, at) => ({ Key: `${at}`, VersionId: 'v' })) };
    if (command === 'DeleteObjects') files.set(id, left - (Delete as { Objects: unknown[] }).Objects.length);
    if (command !== 'DeleteBucket') return {};
    if (left > 0) throw new Error('BucketNotEmpty');
    return remove(id);
  });
  const kms = client(new KMSClient(config), (command, { KeyId }) => {
    require(KeyId);
    const Description = String(KeyId).startsWith('backup-key') ? backupKeyDescription : 'Encrypts the tables';
    return command === 'ScheduleKeyDeletion' ? remove(KeyId) : { KeyMetadata: { KeyState: 'Enabled', Description } };
  });
  const logs = client(new CloudWatchLogsClient(config), (command, input) => {
    if (command === 'DeleteLogGroup') return remove(input['logGroupName']);
    const start = Number(input['nextToken'] ?? 0);
    const named = [...existing].filter((id) => id.startsWith(String(input['logGroupNamePrefix'])));
    return {
      logGroups: named.slice(start, start + 50).map((logGroupName) => ({ logGroupName })),
      ...(start + 50 < named.length && { nextToken: String(start + 50) }),
    };
  });
  const cognito = client(new CognitoIdentityProviderClient(config), (command, { UserPoolId }) => {
    require(UserPoolId);
    const id = String(UserPoolId);
    if (command === 'UpdateUserPool') guarded.delete(id);
    if (command === 'DeleteUserPool') return remove(id);
    return { UserPool: { DeletionProtection: guarded.has(id) ? 'ACTIVE' : 'INACTIVE' } };
  });
  const secretsManager = client(new SecretsManagerClient(config), () => {
    throw missing();
  });
  const notes: string[] = [];
  const clients = { cloudFormation, dynamodb, s3, kms, logs, cognito, secretsManager, pause: async () => undefined };
  const tools = { ...clients, kinds: kindsOf(clients, stage), note: (line: string) => notes.push(line) };
  return { name, tools, clients, existing, sent, commands: () => sent.map(({ command }) => command) };
}

/** As large as a deployed stack. */
export function fakeStack(values: Partial<FakeStack> & { id?: string } = {}): FakeStack {
  const { id = 'arn:aws:cloudformation:us-east-1:123456789012:stack/Name/1' } = values;
  const suffix = id.split('/').at(-1);
  const many = (count: number, type: string, prefix: string) =>
    Array.from(
      { length: count },
      (_, at) => [`${prefix}${at}-${suffix}`, { type, status: 'CREATE_COMPLETE' }] as const,
    );
  return {
    id,
    status: 'CREATE_COMPLETE',
    isProtected: true,
    resources: new Map([
      ...many(120, 'AWS::Lambda::Function', 'function'),
      ...many(16, 'AWS::DynamoDB::GlobalTable', 'table'),
      ...many(34, 'AWS::Logs::LogGroup', 'log'),
      ...many(2, 'AWS::S3::Bucket', 'bucket'),
      ...many(1, 'AWS::S3::Bucket', 'archive'),
      ...many(1, 'AWS::KMS::Key', 'key'),
      ...many(1, 'AWS::Cognito::UserPool', 'pool'),
    ]),
    ...values,
  };
}
