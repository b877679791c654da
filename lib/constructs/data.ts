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

const text = (name: string): Attribute => ({ name, type: AttributeType.STRING });

type IndexName =
  | 'byDue'
  | 'byPractice'
  | 'byPlatform'
  | 'byPracticeStatus'
  | 'byInvoice'
  | 'byPracticeReturned'
  | 'byLastName'
  | 'byFirstName'
  | 'byLastWord'
  | 'byEndpoint'
  | 'byUser'
  | 'byDebit';

/** An index of keys and these attributes only. */
function index(
  indexName: IndexName,
  partitionKey: string,
  sortKey?: string,
  nonKeyAttributes: readonly string[] = [],
): GlobalSecondaryIndexPropsV2 {
  return {
    indexName,
    partitionKey: text(partitionKey),
    ...(sortKey !== undefined && { sortKey: text(sortKey) }),
    ...(nonKeyAttributes.length > 0
      ? { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...nonKeyAttributes] }
      : { projectionType: ProjectionType.KEYS_ONLY }),
  };
}

/** Patients' evidence. */
const writtenOnce = 'authorizations' satisfies Table;

/** Tables that exist in one mode only. */
type ModeTable = 'sandboxDebits' | 'processorDebits' | 'processorEvents' | 'reconciliations' | 'bookings' | 'payouts';

interface TableOptions {
  readonly sortKey?: Attribute;
  readonly indexes?: GlobalSecondaryIndexPropsV2[];
  /** What the index of rows with work due has besides the keys. */
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

  readonly tables: Readonly<Record<Exclude<Table, ModeTable>, TableV2>> & { readonly [Name in ModeTable]?: TableV2 };

  constructor(scope: Construct, id: string, { mode, protect = true }: { mode: Mode; protect?: boolean }) {
    super(scope, id);
    this.protect = protect;
    this.tables = {
      sessions: this.table('Sessions', 'sessionId', {
        due: ['processingAt', 'cancelRequestedAt'],
        // A transition rewrites only the status index, which also has the amounts for the home screen.
        indexes: [
          index('byPractice', 'practiceId', 'sessionId'),
          index('byPracticeStatus', 'practiceStatus', 'sessionId', [
            'amountCents',
            'processingAt',
            'settledAt',
            'return',
            'failure',
          ]),
          index('byInvoice', 'practiceInvoice', 'sessionId'),
          // Sparse: only sessions with a return, a refund or a request for a new link.
          index('byPracticeReturned', 'practiceReturned', 'sessionId'),
          // Sparse: only sessions whose patient was not erased. In the last of the three, only last names of several words.
          index('byLastName', 'practiceId', 'lastFirst' satisfies keyof NameKeys),
          index('byFirstName', 'practiceId', 'firstLast' satisfies keyof NameKeys),
          index('byLastWord', 'practiceId', 'lastWordFirst' satisfies keyof NameKeys),
        ],
      }),
      events: this.table('Events', 'eventId', {
        due: [],
        // `position` is time and ID. An event never changes, so its index entries are written once.
        indexes: [
          index('byPractice', 'practiceId', 'position', ['type']),
          // Sparse: only events of practices that belong to a platform. `dispatch` adds the ID.
          index('byPlatform', 'platformId', 'position', ['type']),
        ],
        expires: true,
        stream: true,
      }),
      [writtenOnce]: this.table('Authorizations', 'sessionId', { writeOnce: true }),
      rateLimits: this.table('RateLimits', 'rateLimitId', { expires: true }),
      idempotencyKeys: this.table('IdempotencyKeys', 'idempotencyKeyId', { expires: true }),
      invoiceClaims: this.table('InvoiceClaims', 'claimId'),
      practices: this.table('Practices', 'practiceId', {
        // Sparse: only practices that belong to a platform. With the name, so that a search reads no rows.
        indexes: [index('byPlatform', 'platformId', 'practiceId', ['name'])],
      }),
      platforms: this.table('Platforms', 'platformId'),
      apiKeys: this.table('ApiKeys', 'keyId', {
        indexes: [{ ...index('byPractice', 'practiceId', 'keyId'), projectionType: ProjectionType.ALL }],
      }),
      webhookEndpoints: this.table('WebhookEndpoints', 'practiceId', { sortKey: text('endpointId') }),
      deliveries: this.table('Deliveries', 'eventId', {
        sortKey: text('endpointId'),
        indexes: [index('byEndpoint', 'endpointId', 'createdAt')],
        due: [],
        expires: true,
      }),
      attempts: this.table('Attempts', 'deliveryId', {
        sortKey: { name: 'attemptNumber', type: AttributeType.NUMBER },
        expires: true,
      }),
      signIns: this.table('SignIns', 'signInId', { expires: true }),
      dashboardSessions: this.table('DashboardSessions', 'dashboardSessionId', {
        indexes: [index('byUser', 'userId', 'dashboardSessionId')],
        expires: true,
      }),
      members: this.table('Members', 'practiceId', {
        sortKey: text('userId'),
        indexes: [{ ...index('byUser', 'userId', 'practiceId'), projectionType: ProjectionType.ALL }],
      }),
      invitations: this.table('Invitations', 'invitationId', {
        indexes: [{ ...index('byPractice', 'practiceId', 'invitationId'), projectionType: ProjectionType.ALL }],
        expires: true,
      }),
      auditLog: this.table('AuditLog', 'practiceId', { sortKey: text('entryId'), stream: true }),
      ...(mode === 'sandbox'
        ? { sandboxDebits: this.table('SandboxDebits', 'sessionId', { due: [] }) }
        : {
            processorDebits: this.table('ProcessorDebits', 'sessionId', { indexes: [index('byDebit', 'debitId')] }),
            processorEvents: this.table('ProcessorEvents', 'sessionId', {
              sortKey: text('processorEventId'),
              due: [],
              expires: true,
            }),
            reconciliations: this.table('Reconciliations', 'account'),
            bookings: this.table('Bookings', 'practiceId', { sortKey: text('bookingId') }),
            payouts: this.table('Payouts', 'practiceId', { sortKey: text('payoutKey') }),
          }),
    };
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

function isTable(name: string): name is Table {
  return Object.hasOwn(tableVariables, name);
}
