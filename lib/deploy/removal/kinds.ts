import {
  DeleteLogGroupCommand,
  DescribeLogGroupsCommand,
  paginateDescribeLogGroups,
  type CloudWatchLogsClient,
} from '@aws-sdk/client-cloudwatch-logs';
import {
  DeleteUserPoolCommand,
  DeleteUserPoolDomainCommand,
  DescribeUserPoolCommand,
  UpdateUserPoolCommand,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  UpdateTableCommand,
  paginateListTables,
  waitUntilTableExists,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { DescribeKeyCommand, ScheduleKeyDeletionCommand, type KMSClient } from '@aws-sdk/client-kms';
import type { S3Client } from '@aws-sdk/client-s3';
import { DeleteSecretCommand, DescribeSecretCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { backupKeyDescription } from '../../settings/backup-vault.ts';
import type { StageName } from '../../settings/stage.ts';
import { buckets, unlessMissing } from './buckets.ts';

export interface RemovalClients {
  readonly dynamodb: DynamoDBClient;
  readonly kms: KMSClient;
  readonly s3: S3Client;
  readonly logs: CloudWatchLogsClient;
  readonly cognito: CognitoIdentityProviderClient;
  readonly secretsManager: SecretsManagerClient;
}

/** A kind of resource that outlives its stack. */
export interface Kind {
  readonly plural: string;
  exists(id: string): Promise<boolean>;
  /** Why it must stay. Undefined if it can be removed. */
  reasonToKeep?(id: string): Promise<string | undefined>;
  /** Returns the existing resources that belong to functions with these names. */
  ofFunctions?(names: readonly string[]): Promise<string[]>;
  /** Returns the existing resources whose names CloudFormation, or a restore, made from the stack's name. */
  namedAfter?(stackName: string): Promise<string[]>;
  /** Turns deletion protection off. Called before the stack is deleted. */
  unprotect?(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Kinds by resource type, in the order of removal. The key comes last, because it encrypts the others. */
export function kindsOf(clients: RemovalClients, stage: StageName): ReadonlyMap<string, Kind> {
  return new Map([
    ['AWS::DynamoDB::GlobalTable', tables(clients.dynamodb)],
    ['AWS::S3::Bucket', buckets(clients.s3)],
    ['AWS::Logs::LogGroup', logGroups(clients.logs)],
    ['AWS::Cognito::UserPool', userPools(clients.cognito)],
    ['AWS::SecretsManager::Secret', secrets(clients.secretsManager)],
    ['AWS::KMS::Key', keys(clients.kms, { waitingDays: stage === 'production' ? 30 : 7 })],
  ]);
}

/** AWS deletes a key only after a waiting period, during which `aws kms cancel-key-deletion` restores it. */
function keys(client: KMSClient, { waitingDays }: { waitingDays: number }): Kind {
  const describe = async (KeyId: string) =>
    (await unlessMissing(client.send(new DescribeKeyCommand({ KeyId }))))?.KeyMetadata;

  return {
    plural: `keys (AWS deletes them after ${waitingDays} days)`,
    async exists(id) {
      const key = await describe(id);
      return key !== undefined && key.KeyState !== 'PendingDeletion';
    },
    async reasonToKeep(id) {
      if ((await describe(id))?.Description !== backupKeyDescription) return undefined;
      return 'the key of backups, which end within 35 days: delete their vault then, and after it this key';
    },
    async remove(id) {
      await client.send(new ScheduleKeyDeletionCommand({ KeyId: id, PendingWindowInDays: waitingDays }));
    },
  };
}

function secrets(client: SecretsManagerClient): Kind {
  return {
    plural: 'secrets (AWS deletes them after 7 days)',
    async exists(id) {
      const secret = await unlessMissing(client.send(new DescribeSecretCommand({ SecretId: id })));
      return secret !== undefined && secret.DeletedDate === undefined;
    },
    async remove(id) {
      await client.send(new DeleteSecretCommand({ SecretId: id, RecoveryWindowInDays: 7 }));
    },
  };
}

function tables(client: DynamoDBClient): Kind {
  async function describe(TableName: string) {
    const answer = await unlessMissing(client.send(new DescribeTableCommand({ TableName })));
    return answer?.Table?.TableStatus === 'DELETING' ? undefined : answer?.Table;
  }

  async function unprotect(TableName: string) {
    const table = await describe(TableName);
    if (!table?.DeletionProtectionEnabled) return;
    await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
    await waitUntilTableExists({ client, maxWaitTime: 300, minDelay: 2, maxDelay: 5 }, { TableName });
  }

  return {
    plural: 'tables',
    exists: async (id) => (await describe(id)) !== undefined,
    async namedAfter(stackName) {
      const named = [];
      for await (const { TableNames = [] } of paginateListTables({ client }, {}))
        named.push(...TableNames.filter((name) => name.startsWith(`${stackName}-`)));
      return named;
    },
    unprotect,
    async remove(id) {
      await unprotect(id);
      await client.send(new DeleteTableCommand({ TableName: id }));
    },
  };
}

function userPools(client: CognitoIdentityProviderClient): Kind {
  async function describe(id: string) {
    const answer = await unlessMissing(client.send(new DescribeUserPoolCommand({ UserPoolId: id })));
    return answer?.UserPool;
  }

  return {
    plural: 'user pools',
    exists: async (id) => (await describe(id)) !== undefined,
    // Unprotects only now that the stack is deleted: the update also resets every setting that it leaves out.
    async remove(id) {
      const { DeletionProtection, Domain } = (await describe(id)) ?? {};
      if (DeletionProtection === 'ACTIVE')
        await client.send(new UpdateUserPoolCommand({ UserPoolId: id, DeletionProtection: 'INACTIVE' }));
      if (Domain) await client.send(new DeleteUserPoolDomainCommand({ UserPoolId: id, Domain }));
      await client.send(new DeleteUserPoolCommand({ UserPoolId: id }));
    },
  };
}

function logGroups(client: CloudWatchLogsClient): Kind {
  return {
    plural: 'log groups',
    async exists(id) {
      const { logGroups: found = [] } = await client.send(new DescribeLogGroupsCommand({ logGroupNamePrefix: id }));
      return found.some(({ logGroupName }) => logGroupName === id);
    },
    async namedAfter(stackName) {
      const named = [];
      for await (const { logGroups: page = [] } of paginateDescribeLogGroups(
        { client },
        { logGroupNamePrefix: `${stackName}-` },
      ))
        named.push(...page.flatMap(({ logGroupName }) => logGroupName ?? []));
      return named;
    },
    async ofFunctions(names) {
      if (names.length === 0) return [];
      const prefix = '/aws/lambda/';
      const wanted = new Set(names.map((name) => `${prefix}${name}`));
      const made = [];
      // Lists all groups: a request for each of over a hundred would be throttled.
      for await (const { logGroups: page = [] } of paginateDescribeLogGroups(
        { client },
        { logGroupNamePrefix: prefix },
      ))
        made.push(...page.flatMap(({ logGroupName = '' }) => (wanted.has(logGroupName) ? [logGroupName] : [])));
      return made;
    },
    async remove(id) {
      await client.send(new DeleteLogGroupCommand({ logGroupName: id }));
    },
  };
}
