import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { KMSClient } from '@aws-sdk/client-kms';
import type { S3Client } from '@aws-sdk/client-s3';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { StageName } from '../../settings/stage.ts';
import { buckets } from './buckets.ts';
import { keys } from './keys.ts';
import { logGroups } from './log-groups.ts';
import { secrets } from './secrets.ts';
import { tables } from './tables.ts';
import { userPools } from './user-pools.ts';

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
