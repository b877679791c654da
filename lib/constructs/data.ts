import { Lazy, Stack } from 'aws-cdk-lib';
import { Billing, StreamViewType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { tableVariables, type Table } from '../../functions/contract/environment.ts';
import type { Mode } from '../../functions/domain/mode.ts';
import { index, tablesOf, text, writtenOnce, type IndexName, type TableOptions } from './tables.ts';
import { writeOncePolicy } from './write-once.ts';

/** `Query:byDue` allows only that index. A transaction needs the actions of its parts. */
export type Action =
  | 'GetItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem'
  | 'BatchGetItem'
  | 'Query'
  | 'Scan'
  | `Query:${IndexName}`;

export type Access = Readonly<Partial<Record<Table, readonly Action[]>>>;

const subscriptionAttributes = ['practiceId', 'eventTypes', 'practiceIds'];

const readKey = ['kms:Decrypt', 'kms:DescribeKey'];
const writeKey = [
  ...readKey,
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];
const isRead = (action: Action) => action.startsWith('Query') || ['GetItem', 'BatchGetItem', 'Scan'].includes(action);

export class Data extends Construct {
  private readonly protect: boolean;
  /** The roles that may put a row into a table that is written once. */
  private readonly writers: string[] = [];
  private readonly key = new Key(this, 'Key', {
    description: 'Encrypts the tables of the patient invoice payment service',
    enableKeyRotation: true,
  });

  readonly tables: ReturnType<typeof tablesOf>;

  constructor(scope: Construct, id: string, { mode, protect = true }: { mode: Mode; protect?: boolean }) {
    super(scope, id);
    this.protect = protect;
    this.tables = tablesOf(mode, (name, partitionKey, options) => this.table(name, partitionKey, options));
  }

  private table(
    id: string,
    partitionKey: string,
    { sortKey, indexes = [], due, expires, stream, writeOnce }: TableOptions = {},
  ): TableV2 {
    // Sparse: only rows with work due.
    const globalSecondaryIndexes = due ? [index('byDue', 'dueShard', 'dueAt', due), ...indexes] : indexes;
    return new TableV2(this, id, {
      partitionKey: text(partitionKey),
      ...(sortKey && { sortKey }),
      globalSecondaryIndexes,
      ...(expires && { timeToLiveAttribute: 'timeToLive' }),
      ...(stream && { dynamoStream: StreamViewType.NEW_IMAGE }),
      ...(writeOnce && { resourcePolicy: writeOncePolicy(Lazy.list({ produce: () => this.writers })) }),
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.customerManagedKey(this.key),
      deletionProtection: this.protect,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    });
  }

  grant(grantee: Function, access: Access): void {
    for (const [name, actions] of Object.entries(access)) if (isTable(name)) this.grantActions(grantee, name, actions);
  }

  private grantActions(grantee: Function, name: Table, actions: readonly Action[]): void {
    const table = this.tables[name];
    if (!table) throw new Error(`This stage has no table ${name}.`);
    const { tableName, tableArn } = table;
    if (name === writtenOnce && actions.includes('PutItem') && grantee.role) this.writers.push(grantee.role.roleArn);
    grantee.addEnvironment(tableVariables[name], tableName);
    for (const action of actions) {
      const [verb, index] = action.split(':');
      allow(grantee, [`dynamodb:${verb}`], index === undefined ? tableArn : `${tableArn}/index/${index}`);
    }
    this.grantKey(grantee, actions.every(isRead) ? readKey : writeKey);
  }

  /** Allows reading which events the endpoints want, but nothing else: their rows contain signing secrets. */
  grantSubscriptions(grantee: Function): void {
    const { tableName, tableArn } = this.tables.webhookEndpoints;
    grantee.addEnvironment(tableVariables.webhookEndpoints, tableName);
    grantee.addToRolePolicy(
      new PolicyStatement({
        actions: ['dynamodb:Query'],
        resources: [tableArn],
        conditions: {
          'ForAllValues:StringEquals': { 'dynamodb:Attributes': subscriptionAttributes },
          StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
        },
      }),
    );
    this.grantKey(grantee, readKey);
  }

  /** Returns the stream's ARN. */
  grantStream(grantee: Function, table: 'events' | 'auditLog'): string {
    const { tableStreamArn } = this.tables[table];
    if (tableStreamArn === undefined) throw new Error(`the table ${table} has no stream`);
    // Lambda rejects an event source mapping whose role lacks any of them.
    const actions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
    for (const action of actions) allow(grantee, [`dynamodb:${action}`], tableStreamArn);
    this.grantKey(grantee, readKey);
    return tableStreamArn;
  }

  /** Replaces CDK's own grants on the key, which contain wildcards. */
  private grantKey(grantee: Function, actions: string[]): void {
    const throughDynamoDb = { StringEquals: { 'kms:ViaService': `dynamodb.${Stack.of(this).region}.amazonaws.com` } };
    grantee.addToRolePolicy(
      new PolicyStatement({ actions, resources: [this.key.keyArn], conditions: throughDynamoDb }),
    );
  }
}

function allow(grantee: Function, actions: string[], resource: string): void {
  grantee.addToRolePolicy(new PolicyStatement({ actions, resources: [resource] }));
}

function isTable(name: string): name is Table {
  return Object.hasOwn(tableVariables, name);
}
