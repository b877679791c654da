import {
  AttributeType,
  ProjectionType,
  type Attribute,
  type GlobalSecondaryIndexPropsV2,
  type TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Table } from '../../functions/contract/environment.ts';
import type { Mode } from '../../functions/domain/mode.ts';
import type { NameKeys } from '../../functions/domain/sessions/patient-search.ts';

export const text = (name: string): Attribute => ({ name, type: AttributeType.STRING });

export type IndexName =
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

/** An index with only its keys and these attributes. */
export function index(
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
export const writtenOnce = 'authorizations' satisfies Table;

/** Tables that exist in one mode only. */
type ModeTable = 'sandboxDebits' | 'processorDebits' | 'processorEvents' | 'reconciliations' | 'bookings' | 'payouts';

export interface TableOptions {
  readonly sortKey?: Attribute;
  readonly indexes?: GlobalSecondaryIndexPropsV2[];
  /** The attributes that the due index has besides its keys. */
  readonly due?: readonly string[];
  /** Rows expire at `timeToLive`, in seconds since 1970. */
  readonly expires?: true;
  readonly stream?: true;
  readonly writeOnce?: true;
}

type Tables = Readonly<Record<Exclude<Table, ModeTable>, TableV2>> & { readonly [Name in ModeTable]?: TableV2 };

/** Every table of a stage, by its keys and indexes. */
export function tablesOf(
  mode: Mode,
  table: (id: string, partitionKey: string, options?: TableOptions) => TableV2,
): Tables {
  return {
    sessions: table('Sessions', 'sessionId', {
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
        // Sparse: only sessions whose patient was not erased. The last of the three has only last names of several words.
        index('byLastName', 'practiceId', 'lastFirst' satisfies keyof NameKeys),
        index('byFirstName', 'practiceId', 'firstLast' satisfies keyof NameKeys),
        index('byLastWord', 'practiceId', 'lastWordFirst' satisfies keyof NameKeys),
      ],
    }),
    events: table('Events', 'eventId', {
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
    [writtenOnce]: table('Authorizations', 'sessionId', { writeOnce: true }),
    rateLimits: table('RateLimits', 'rateLimitId', { expires: true }),
    idempotencyKeys: table('IdempotencyKeys', 'idempotencyKeyId', { expires: true }),
    invoiceClaims: table('InvoiceClaims', 'claimId'),
    practices: table('Practices', 'practiceId', {
      // Sparse: only practices that belong to a platform. Includes the name, so that a search reads no rows.
      indexes: [index('byPlatform', 'platformId', 'practiceId', ['name'])],
    }),
    platforms: table('Platforms', 'platformId'),
    apiKeys: table('ApiKeys', 'keyId', {
      indexes: [{ ...index('byPractice', 'practiceId', 'keyId'), projectionType: ProjectionType.ALL }],
    }),
    webhookEndpoints: table('WebhookEndpoints', 'practiceId', { sortKey: text('endpointId') }),
    deliveries: table('Deliveries', 'eventId', {
      sortKey: text('endpointId'),
      indexes: [index('byEndpoint', 'endpointId', 'createdAt')],
      due: [],
      expires: true,
    }),
    attempts: table('Attempts', 'deliveryId', {
      sortKey: { name: 'attemptNumber', type: AttributeType.NUMBER },
      expires: true,
    }),
    signIns: table('SignIns', 'signInId', { expires: true }),
    dashboardSessions: table('DashboardSessions', 'dashboardSessionId', {
      indexes: [index('byUser', 'userId', 'dashboardSessionId')],
      expires: true,
    }),
    members: table('Members', 'practiceId', {
      sortKey: text('userId'),
      indexes: [{ ...index('byUser', 'userId', 'practiceId'), projectionType: ProjectionType.ALL }],
    }),
    invitations: table('Invitations', 'invitationId', {
      indexes: [{ ...index('byPractice', 'practiceId', 'invitationId'), projectionType: ProjectionType.ALL }],
      expires: true,
    }),
    auditLog: table('AuditLog', 'practiceId', { sortKey: text('entryId'), stream: true }),
    ...(mode === 'sandbox'
      ? { sandboxDebits: table('SandboxDebits', 'sessionId', { due: [] }) }
      : {
          processorDebits: table('ProcessorDebits', 'sessionId', { indexes: [index('byDebit', 'debitId')] }),
          processorEvents: table('ProcessorEvents', 'sessionId', {
            sortKey: text('processorEventId'),
            due: [],
            expires: true,
          }),
          reconciliations: table('Reconciliations', 'account'),
          bookings: table('Bookings', 'practiceId', { sortKey: text('bookingId') }),
          payouts: table('Payouts', 'practiceId', { sortKey: text('payoutKey') }),
        }),
  };
}
