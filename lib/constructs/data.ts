import { Lazy, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
  type Attribute,
  type GlobalSecondaryIndexPropsV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { tableVariables, type Table } from '../../functions/contract/environment.ts';
import type { Mode } from '../../functions/domain/mode.ts';
import type { NameKeys } from '../../functions/domain/sessions/patient-search.ts';
import { writeOncePolicy } from './write-once.ts';

/** Sparse: only rows with work due. */
const dueIndex = (nonKeyAttributes: readonly string[]) => ({
  indexName: 'byDue',
  partitionKey: { name: 'dueShard', type: AttributeType.STRING },
  sortKey: { name: 'dueAt', type: AttributeType.STRING },
  ...(nonKeyAttributes.length > 0
    ? { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...nonKeyAttributes] }
    : { projectionType: ProjectionType.KEYS_ONLY }),
});

/** Keys only, so that a transition rewrites only the status index, which also has the amounts for the home screen. */
const listIndex = (indexName: string, partitionKey: string) => ({
  indexName,
  partitionKey: { name: partitionKey, type: AttributeType.STRING },
  sortKey: { name: 'sessionId', type: AttributeType.STRING },
  projectionType: ProjectionType.KEYS_ONLY,
});

/** Sparse: only sessions that still have their patient. */
const nameIndex = (indexName: string, nameKey: keyof NameKeys) => ({
  indexName,
  partitionKey: { name: 'practiceId', type: AttributeType.STRING },
  sortKey: { name: nameKey, type: AttributeType.STRING },
  projectionType: ProjectionType.KEYS_ONLY,
});

const keysOfPractice = {
  indexName: 'byPractice',
  partitionKey: { name: 'practiceId', type: AttributeType.STRING },
  sortKey: { name: 'keyId', type: AttributeType.STRING },
};

const byUser = (sortKey: string) => ({
  indexName: 'byUser',
  partitionKey: { name: 'userId', type: AttributeType.STRING },
  sortKey: { name: sortKey, type: AttributeType.STRING },
});

const byDebit = {
  indexName: 'byDebit',
  partitionKey: { name: 'debitId', type: AttributeType.STRING },
  projectionType: ProjectionType.KEYS_ONLY,
};

const deliveriesOfEndpoint = {
  indexName: 'byEndpoint',
  partitionKey: { name: 'endpointId', type: AttributeType.STRING },
  sortKey: { name: 'createdAt', type: AttributeType.STRING },
  projectionType: ProjectionType.KEYS_ONLY,
};

/** `position` is time and ID. An event never changes, so its index entry is written once. */
const eventsOfPractice = {
  indexName: 'byPractice',
  partitionKey: { name: 'practiceId', type: AttributeType.STRING },
  sortKey: { name: 'position', type: AttributeType.STRING },
  projectionType: ProjectionType.INCLUDE,
  nonKeyAttributes: ['type'],
};

/** Sparse: only events of practices that belong to a platform. `dispatch` adds the ID. */
const eventsOfPlatform = {
  ...eventsOfPractice,
  indexName: 'byPlatform',
  partitionKey: { name: 'platformId', type: AttributeType.STRING },
};

/** Sparse: only practices that belong to a platform. With the name, so that a search reads no rows. */
const practicesOfPlatform = {
  indexName: 'byPlatform',
  partitionKey: { name: 'platformId', type: AttributeType.STRING },
  sortKey: { name: 'practiceId', type: AttributeType.STRING },
  projectionType: ProjectionType.INCLUDE,
  nonKeyAttributes: ['name'],
};

/** Patients' evidence. */
const writtenOnce = 'authorizations' satisfies Table;

/** Tables that exist in one mode only. */
type ModeTable = 'sandboxDebits' | 'processorDebits' | 'processorEvents' | 'reconciliations' | 'bookings' | 'payouts';

interface TableOptions {
  readonly sortKey?: Attribute;
  readonly indexes?: GlobalSecondaryIndexPropsV2[];
  readonly due?: readonly string[];
  /** Rows expire at `timeToLive`, in seconds since 1970. */
  readonly expires?: true;
  readonly stream?: true;
  readonly writeOnce?: true;
}

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
  | `Query:${'byDue' | 'byPractice' | 'byPlatform' | 'byPracticeStatus' | 'byInvoice' | 'byPracticeReturned' | 'byLastName' | 'byFirstName' | 'byLastWord' | 'byEndpoint' | 'byUser' | 'byDebit'}`;

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

  readonly tables: Readonly<Record<Exclude<Table, ModeTable>, TableV2>> & { readonly [Name in ModeTable]?: TableV2 };

  constructor(scope: Construct, id: string, { mode, protect = true }: { mode: Mode; protect?: boolean }) {
    super(scope, id);
    this.protect = protect;
    this.tables = {
      sessions: this.table('Sessions', 'sessionId', {
        due: ['processingAt', 'cancelRequestedAt'],
        indexes: [
          listIndex('byPractice', 'practiceId'),
          {
            ...listIndex('byPracticeStatus', 'practiceStatus'),
            projectionType: ProjectionType.INCLUDE,
            nonKeyAttributes: ['amountCents', 'processingAt', 'settledAt', 'return', 'failure'],
          },
          listIndex('byInvoice', 'practiceInvoice'),
          // Sparse: only sessions whose debit was returned.
          listIndex('byPracticeReturned', 'practiceReturned'),
          nameIndex('byLastName', 'lastFirst'),
          nameIndex('byFirstName', 'firstLast'),
          // Sparser still: only patients whose last name has several words.
          nameIndex('byLastWord', 'lastWordFirst'),
        ],
      }),
      events: this.table('Events', 'eventId', {
        due: [],
        indexes: [eventsOfPractice, eventsOfPlatform],
        expires: true,
        stream: true,
      }),
      [writtenOnce]: this.table('Authorizations', 'sessionId', { writeOnce: true }),
      rateLimits: this.table('RateLimits', 'rateLimitId', { expires: true }),
      idempotencyKeys: this.table('IdempotencyKeys', 'idempotencyKeyId', { expires: true }),
      invoiceClaims: this.table('InvoiceClaims', 'claimId'),
      practices: this.table('Practices', 'practiceId', { indexes: [practicesOfPlatform] }),
      platforms: this.table('Platforms', 'platformId'),
      apiKeys: this.table('ApiKeys', 'keyId', { indexes: [keysOfPractice] }),
      webhookEndpoints: this.table('WebhookEndpoints', 'practiceId', {
        sortKey: { name: 'endpointId', type: AttributeType.STRING },
      }),
      deliveries: this.table('Deliveries', 'eventId', {
        sortKey: { name: 'endpointId', type: AttributeType.STRING },
        indexes: [deliveriesOfEndpoint],
        due: [],
        expires: true,
      }),
      attempts: this.table('Attempts', 'deliveryId', {
        sortKey: { name: 'attemptNumber', type: AttributeType.NUMBER },
        expires: true,
      }),
      signIns: this.table('SignIns', 'signInId', { expires: true }),
      dashboardSessions: this.table('DashboardSessions', 'dashboardSessionId', {
        indexes: [{ ...byUser('dashboardSessionId'), projectionType: ProjectionType.KEYS_ONLY }],
        expires: true,
      }),
      members: this.table('Members', 'practiceId', {
        sortKey: { name: 'userId', type: AttributeType.STRING },
        indexes: [byUser('practiceId')],
      }),
      invitations: this.table('Invitations', 'invitationId', {
        indexes: [{ ...keysOfPractice, sortKey: { name: 'invitationId', type: AttributeType.STRING } }],
        expires: true,
      }),
      auditLog: this.table('AuditLog', 'practiceId', {
        sortKey: { name: 'entryId', type: AttributeType.STRING },
        stream: true,
      }),
      ...(mode === 'sandbox'
        ? { sandboxDebits: this.table('SandboxDebits', 'sessionId', { due: [] }) }
        : {
            processorDebits: this.table('ProcessorDebits', 'sessionId', { indexes: [byDebit] }),
            processorEvents: this.table('ProcessorEvents', 'sessionId', {
              sortKey: { name: 'processorEventId', type: AttributeType.STRING },
              due: [],
              expires: true,
            }),
            reconciliations: this.table('Reconciliations', 'account'),
            bookings: this.table('Bookings', 'practiceId', {
              sortKey: { name: 'bookingId', type: AttributeType.STRING },
            }),
            payouts: this.table('Payouts', 'practiceId', {
              sortKey: { name: 'payoutKey', type: AttributeType.STRING },
            }),
          }),
    };
  }

  private table(
    id: string,
    partitionKey: string,
    { sortKey, indexes = [], due, expires, stream, writeOnce }: TableOptions = {},
  ): TableV2 {
    const globalSecondaryIndexes = due ? [dueIndex(due), ...indexes] : indexes;
    return new TableV2(this, id, {
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
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

  grant(grantee: Function, name: Table, ...actions: readonly Action[]): void {
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

  /** Allows reading which events the endpoints want, but nothing else of them: their rows have signing secrets. */
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
