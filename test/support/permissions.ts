import { connect, createServer } from 'node:net';
import { recordRequests } from '../permissions/requests.ts';
import { startServer } from './server.ts';

interface Resource {
  readonly Type: string;
  readonly Properties?: Record<string, unknown>;
}

interface Permissions {
  readonly endpoint: string;
  /** Throws if a function was refused anything. */
  stop(): void;
}

/** `unanswered`: the call is done, but its answer is lost. */
type Disturbance = 'throttled' | 'cancelled' | 'silent' | 'unanswered';

/** `caller` is the function's logical id, `input` the JSON of its call. */
export type Disturb = (request: { caller: string; operation: string; input: string }) => Disturbance | undefined;

const failures = {
  throttled: { __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException', message: 'too fast' },
  cancelled: {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    message: 'cancelled',
    CancellationReasons: [{ Code: 'ThrottlingError' }],
  },
};

/** A DynamoDB that refuses what a function's role does not allow, or a table's policy denies, as IAM does in AWS. */
export async function enforcePermissions(
  template: unknown,
  dynamodb: string,
  disturb: Disturb = () => undefined,
): Promise<Permissions> {
  const allowed = allowedActions(template);
  const isForbidden = forbiddenActions(template);
  const record = recordRequests(template);
  const denied: string[] = [];
  const database = new URL(dynamodb);

  /** Undefined if the request may go on. */
  function refusal(caller: string, operation: string, body: string): object | undefined {
    const rights = allowed.get(caller);
    const actions = actionsOf(operation, body);
    const missing = actions.filter(
      (action) => rights?.has(action) === false || isForbidden({ action, operation, caller }),
    );
    record(caller, actions, missing);
    const [first] = missing;
    if (first === undefined) return undefined;
    if (rights) denied.push(...missing.map((action) => `${caller} ${action}`));
    const why = rights?.has(first) === false ? 'no identity-based policy allows it' : 'explicit deny';
    return { __type: 'com.amazon.coral.service#AccessDeniedException', message: `${first}: ${why}` };
  }

  // It passes bytes on: an HTTP server and a client of Node would take more CPU time than the database.
  const server = createServer({ noDelay: true }, (client) => {
    const served = connect({ host: database.hostname, port: Number(database.port), noDelay: true });
    served.on('error', () => client.destroy()).pipe(client);
    client.once('close', () => served.destroy());

    function handle(request: Buffer, headSize: number): void {
      const head = request.toString('latin1', 0, headSize);
      const input = request.toString('utf8', headSize);
      const [, caller = ''] = /Credential=([^/]+)\//.exec(head) ?? [];
      const [, operation = ''] = /^x-amz-target: \w+\.(\w+)/im.exec(head) ?? [];
      const disturbance = disturb({ caller, operation, input });
      if (disturbance === 'silent') return;
      const failure =
        disturbance === 'throttled' || disturbance === 'cancelled'
          ? failures[disturbance]
          : refusal(caller, operation, input);
      if (disturbance === 'unanswered' && !failure) served.unpipe(client).resume();
      if (failure) client.write(failedResponse(failure));
      else served.write(request);
    }

    let received = Buffer.alloc(0);
    client.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      for (let sizes = requestSizes(received); sizes; sizes = requestSizes(received)) {
        // Its body would pass unread.
        if (Number.isNaN(sizes.whole)) return void client.destroy();
        handle(received.subarray(0, sizes.whole), sizes.head);
        received = received.subarray(sizes.whole);
      }
    });
  });
  let close = () => {};
  const port = await startServer(server, (stop) => (close = stop));
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop() {
      close();
      if (denied.length > 0) throw new Error(`no role allows: ${[...new Set(denied)].join(', ')}`);
    },
  };
}

/** Of the first request, once all of it is here. `whole` is not a number if it comes in chunks: the SDK sends none so. */
function requestSizes(bytes: Buffer): { head: number; whole: number } | undefined {
  const head = bytes.indexOf('\r\n\r\n') + 4;
  if (head < 4) return undefined;
  const text = bytes.toString('latin1', 0, head);
  const [, length = '0'] = /^content-length: *(\d+) *\r$/im.exec(text) ?? [];
  const whole = /^transfer-encoding:/im.test(text) ? Number.NaN : head + Number(length);
  return bytes.length < whole ? undefined : { head, whole };
}

function failedResponse(failure: object): string {
  const body = JSON.stringify(failure);
  return `HTTP/1.1 400 Bad Request\r\ncontent-type: application/x-amz-json-1.0\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
}

/** `dynamodb:Query on Sessions/index/byInvoice`, by function. */
export function allowedActions(template: unknown): Map<string, Set<string>> {
  const resources = Object.entries((template as { Resources: Record<string, Resource> }).Resources);
  const ofRole = new Map<string, Set<string>>();
  for (const [id, { Type, Properties = {} }] of resources) {
    if (Type !== 'AWS::IAM::Policy' && Type !== 'AWS::IAM::Role') continue;
    const documents = (Properties['Policies'] ?? [Properties]) as { PolicyDocument?: { Statement: Statement[] } }[];
    const statements = documents.flatMap(({ PolicyDocument }) => PolicyDocument?.Statement ?? []);
    const actions = statements.flatMap((statement) =>
      [statement.Resource]
        .flat()
        .flatMap((resource) => [statement.Action].flat().map((action) => `${action} on ${arnText(resource)}`)),
    );
    const roles = ((Properties['Roles'] ?? [{ Ref: id }]) as { Ref: string }[]).map(({ Ref }) => Ref);
    for (const role of roles) ofRole.set(role, new Set([...(ofRole.get(role) ?? []), ...actions]));
  }
  return new Map(
    resources
      .filter(([, { Type }]) => Type === 'AWS::Lambda::Function')
      .map(([id]) => [id, ofRole.get(roleOf(Object.fromEntries(resources), id)) ?? new Set()]),
  );
}

/** Empty for a caller that is no function. */
function roleOf(resources: Record<string, Resource>, caller: string): string {
  const role = resources[caller]?.Properties?.['Role'] as { 'Fn::GetAtt': [string, string] } | undefined;
  return role?.['Fn::GetAtt'][0] ?? '';
}

interface Denial {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Condition?: {
    readonly 'ForAllValues:StringNotEquals'?: { 'dynamodb:EnclosingOperation': string[] };
    readonly ArnNotEquals?: { 'aws:PrincipalArn': unknown[] };
  };
}

interface Attempt {
  readonly action: string;
  readonly operation: string;
  readonly caller: string;
}

/** What a table's policy denies everybody, except in some operations or to some roles. */
function forbiddenActions(template: unknown): (attempt: Attempt) => boolean {
  const { Resources } = template as { Resources: Record<string, Resource> };
  const denials = Object.entries(Resources).flatMap(([id, { Type, Properties = {} }]) => {
    if (Type !== 'AWS::DynamoDB::GlobalTable') return [];
    const [replica] = Properties['Replicas'] as { ResourcePolicy?: { PolicyDocument: { Statement: Denial[] } } }[];
    return (replica?.ResourcePolicy?.PolicyDocument.Statement ?? []).flatMap(({ Effect, Action, Condition }) => {
      if (Effect !== 'Deny') throw new Error(`the policy of ${id} allows something: enforce it here`);
      const operations = Condition?.['ForAllValues:StringNotEquals']?.['dynamodb:EnclosingOperation'] ?? [];
      const roles = Condition?.ArnNotEquals?.['aws:PrincipalArn'].map(arnText) ?? [];
      return [Action].flat().map((action) => ({ action: `${action} on ${id}`, operations, roles }));
    });
  });
  return ({ action, operation, caller }) =>
    denials.some(
      ({ operations, roles, ...denial }) =>
        denial.action === action && !operations.includes(operation) && !roles.includes(roleOf(Resources, caller)),
    );
}

/** The local table's name is its logical id. */
function arnText(resource: unknown): string {
  const { 'Fn::GetAtt': attribute, 'Fn::Join': joined } = Object(resource) as {
    'Fn::GetAtt'?: [string, string];
    'Fn::Join'?: [string, unknown[]];
  };
  if (attribute) return attribute[0];
  return joined
    ? joined[1].map((part) => (typeof part === 'string' ? part : arnText(part))).join('')
    : String(resource);
}

interface Part {
  readonly TableName: string;
}

function actionsOf(operation: string, body: string): string[] {
  const input = JSON.parse(body || '{}') as {
    TableName?: string;
    IndexName?: string;
    TransactItems?: Record<string, Part>[];
    RequestItems?: Record<string, unknown>;
  };
  switch (operation) {
    case 'TransactWriteItems':
      return (input.TransactItems ?? []).flatMap((item) =>
        Object.entries(item).map(([kind, { TableName }]) => `dynamodb:${kind}Item on ${TableName}`),
      );
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return Object.keys(input.RequestItems ?? {}).map((table) => `dynamodb:${operation} on ${table}`);
    default: {
      const index = input.IndexName === undefined ? '' : `/index/${input.IndexName}`;
      return [`dynamodb:${operation} on ${input.TableName}${index}`];
    }
  }
}
