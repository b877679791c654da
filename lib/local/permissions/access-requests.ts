import * as z from 'zod';
import { arn, nameInArn, region } from '../account.ts';
import { isObject, parseJson } from '../json.ts';

/** Values of condition keys. */
export type Context = Readonly<Record<string, readonly string[]>>;

/** What a role must be allowed to do. */
export interface AccessRequest {
  readonly action: string;
  /** The role must be allowed on one of them. */
  readonly resources: readonly string[];
  readonly context: Context;
}

/** A signed request to AWS. */
export interface AwsCall {
  /** The logical ID of the function that signed it. */
  readonly caller: string;
  /** The service that it is signed for. */
  readonly service: string;
  /** For example, `GetItem`, or `PUT` where requests have no such name. */
  readonly operation: string;
  readonly path: string;
  readonly input: string;
}

const tableInput = z.looseObject({
  TableName: z.string().optional(),
  IndexName: z.string().optional(),
  Select: z.string().optional(),
  ProjectionExpression: z.string().optional(),
  ExpressionAttributeNames: z.record(z.string(), z.string()).default({}),
  Key: z.record(z.string(), z.unknown()).default({}),
  Item: z.record(z.string(), z.unknown()).default({}),
});
type TableInput = z.output<typeof tableInput>;
const databaseInput = tableInput.extend({
  TransactItems: z.array(z.record(z.string(), tableInput)).default([]),
  RequestItems: z.record(z.string(), z.unknown()).default({}),
});
const events = z.object({ Entries: z.array(z.object({ EventBusName: z.string() })) });
const mail = z.object({ FromEmailAddress: z.string() });

/** What the caller must be allowed to do, according to AWS's service authorization reference. Unknown calls need what nobody has. */
export function accessRequests(call: AwsCall): readonly AccessRequest[] {
  const { service, operation, path } = call;
  const input: unknown = parseJson(call.input);
  const request = (action: string, ...resources: string[]): AccessRequest => ({
    action: `${service}:${action}`,
    resources,
    context: {},
  });
  const named = (name: string) => String(isObject(input) ? input[name] : '');
  switch (service) {
    case 'dynamodb':
      return databaseRequests(operation, databaseInput.safeParse(input).data);
    case 'sqs':
      return [request(operation.replace(/Batch$/, ''), arn('sqs', nameInArn(named('QueueUrl'))))];
    case 'events': {
      const buses = (events.safeParse(input).data?.Entries ?? []).map(({ EventBusName }) => nameInArn(EventBusName));
      return [...new Set(buses.length > 0 ? buses : [''])].map((name) =>
        request(operation, arn('events', `event-bus/${name}`)),
      );
    }
    case 's3':
      return objectRequests(operation, `arn:aws:s3:::${decodeURIComponent(path.slice(1).split('?')[0] ?? '')}`);
    case 'secretsmanager': {
      // AWS adds six characters to the name of a secret.
      const id = named('SecretId');
      return [request(operation, id, arn('secretsmanager', `secret:${id}-000000`))];
    }
    case 'ses': {
      const from = mail.safeParse(input).data?.FromEmailAddress ?? '';
      const identities = [from, from.split('@')[1] ?? ''].map((identity) => arn('ses', `identity/${identity}`));
      const action = `${operation} ${path}` === 'POST /v2/email/outbound-emails' ? 'SendEmail' : operation;
      return [{ ...request(action, ...identities), context: { 'ses:FromAddress': [from] } }];
    }
    case 'cognito-idp':
      return [request(operation, arn('cognito-idp', `userpool/${named('UserPoolId')}`))];
    default:
      return [request(operation, path)];
  }
}

function objectRequests(method: string, object: string): AccessRequest[] {
  const actions: Readonly<Record<string, string>> = { PUT: 'PutObject', DELETE: 'DeleteObject' };
  const isRead = method === 'GET' || method === 'HEAD';
  const asked = {
    action: `s3:${isRead ? 'GetObject' : (actions[method] ?? method)}`,
    resources: [object],
    context: {},
  };
  const [bucket = ''] = object.split('/');
  // Without this permission, S3 answers 403 for an object that does not exist.
  return isRead ? [asked, { action: 's3:ListBucket', resources: [bucket], context: {} }] : [asked];
}

const tableArn = (name: string) => arn('dynamodb', `table/${name}`);

function databaseRequests(operation: string, input: z.output<typeof databaseInput> | undefined): AccessRequest[] {
  const request = (action: string, name: string, context: Context = {}): AccessRequest => ({
    action: `dynamodb:${action}`,
    resources: [name],
    context,
  });
  if (!input) return [request(operation, '')];
  switch (operation) {
    case 'TransactGetItems':
    case 'TransactWriteItems':
      return input.TransactItems.flatMap((item) =>
        Object.entries(item).map(([kind, part]) =>
          request(`${kind}Item`, tableArn(part.TableName ?? ''), {
            'dynamodb:Attributes': attributesIn(part),
            'dynamodb:EnclosingOperation': [operation],
          }),
        ),
      );
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return Object.keys(input.RequestItems).map((name) => request(operation, tableArn(name)));
    default: {
      const { TableName = '', IndexName, Select } = input;
      const index = IndexName === undefined ? '' : `/index/${IndexName}`;
      return [
        request(operation, `${tableArn(TableName)}${index}`, {
          'dynamodb:Attributes': attributesIn(input),
          ...(Select !== undefined && { 'dynamodb:Select': [Select] }),
        }),
      ];
    }
  }
}

function attributesIn({ ExpressionAttributeNames, ProjectionExpression = '', Key, Item }: TableInput): string[] {
  const projected = ProjectionExpression.split(',').map((name) => name.trim());
  const plain = projected.filter((name) => name !== '' && !name.startsWith('#'));
  return [
    ...new Set([...Object.values(ExpressionAttributeNames), ...plain, ...Object.keys(Key), ...Object.keys(Item)]),
  ];
}

const isRead = (action: string) => /^dynamodb:(GetItem|BatchGetItem|Query|Scan|ConditionCheckItem)$/.test(action);

/** What DynamoDB does, for the caller, with the key that encrypts the table. */
export function keyRequests({ action }: AccessRequest, key: string): AccessRequest[] {
  const reading = ['Decrypt', 'DescribeKey'];
  const writing = ['Encrypt', 'GenerateDataKey', 'GenerateDataKeyWithoutPlaintext', 'ReEncryptFrom', 'ReEncryptTo'];
  return [...reading, ...(isRead(action) ? [] : writing)].map((operation) => ({
    action: `kms:${operation}`,
    resources: [key],
    context: { 'kms:ViaService': [`dynamodb.${region}.amazonaws.com`] },
  }));
}

/** For example, `sqs:SendMessage on WebhooksTicketsDF0C813F`. */
export function requestName({ action, resources: [resource = ''] }: AccessRequest): string {
  return nameOf(action, resource);
}

/** Drops what the ARNs of all resources of a type have in common. */
export function nameOf(action: string, resource: string): string {
  return `${action} on ${resource.replace(/^arn:aws:[\w-]+:[\w-]*:\d*:(?:(?:table|event-bus|userpool|key|identity)\/|secret:)?/, '')}`;
}
