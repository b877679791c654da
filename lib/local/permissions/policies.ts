import * as z from 'zod';
import { createResolver } from '../intrinsics.ts';
import { SetupError } from '../setup-error.ts';
import type { AccessRequest, Context } from './access-requests.ts';

const oneOrMore = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat());

const conditionOperators = {
  StringEquals: (found: readonly string[], wanted: readonly string[]) => found.some((each) => wanted.includes(each)),
  'ForAllValues:StringEquals': (found, wanted) => found.every((each) => wanted.includes(each)),
  'ForAllValues:StringNotEquals': (found, wanted) => found.every((each) => !wanted.includes(each)),
  ArnNotEquals: (found, wanted) => found.every((each) => !wanted.includes(each)),
} satisfies Record<string, (found: readonly string[], wanted: readonly string[]) => boolean>;

const operatorNames = z.enum([
  'StringEquals',
  'ForAllValues:StringEquals',
  'ForAllValues:StringNotEquals',
  'ArnNotEquals',
]);

const statements = z.array(
  z.strictObject({
    Effect: z.enum(['Allow', 'Deny']),
    Action: oneOrMore,
    Resource: oneOrMore,
    Condition: z.partialRecord(operatorNames, z.record(z.string(), oneOrMore)).default({}),
    Principal: z.unknown().optional(),
    Sid: z.string().optional(),
  }),
);
type Statement = z.output<typeof statements>[number];

const documents = z.array(z.object({ PolicyDocument: z.object({ Statement: statements }) }));
const role = z.object({ Policies: documents.default([]), ManagedPolicyArns: z.undefined().optional() });
const replica = z.object({
  ResourcePolicy: documents.element.optional(),
  SSESpecification: z.object({ KMSMasterKeyId: z.string() }).optional(),
});
const table = z.object({ Replicas: z.tuple([replica]) });
const properties = z.record(z.string(), z.unknown());
const templateSchema = z.object({
  Parameters: z.record(z.string(), z.object({ Default: z.unknown() })).default({}),
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: properties.default({}) })),
});

/** One action on one resource. Either can have wildcards. */
export interface Grant extends Pick<Statement, 'Effect' | 'Condition'> {
  readonly action: string;
  readonly resource: string;
}

interface Role {
  readonly arn: string;
  readonly grants: readonly Grant[];
}

export interface Policies {
  /** Keyed by the function's logical ID. */
  readonly roles: ReadonlyMap<string, Role>;
  /** Grants that a table's own policy denies to everybody. */
  readonly denials: readonly Grant[];
  /** The key that encrypts a table, keyed by the table's ARN. */
  readonly keys: ReadonlyMap<string, string>;
}

/**
 * What the template's functions may do, and what its tables refuse. Leaves out the policies of queues, buckets and keys: they
 * only refuse plain HTTP, let AWS services in, or leave it to the roles. Throws SetupError for a policy that it cannot read.
 */
export function readPolicies(source: unknown): Policies {
  const { Resources, Parameters } = templateSchema.parse(source);
  const parameters = Object.fromEntries(Object.entries(Parameters).map(([name, { Default }]) => [name, Default]));
  const resources = Object.entries(Resources);
  const { resolve } = createResolver(new Map(resources), parameters, { queueUrl: (name) => name, hosts: new Map() });
  const arnOf = (id: string) => String(resolve({ 'Fn::GetAtt': [id, 'Arn'] }));

  function read<Schema extends z.ZodType>(schema: Schema, id: string, value: unknown): z.output<Schema> {
    const { data, error } = z.safeParse(schema, resolve(value));
    if (error) throw new SetupError(`${id}: teach lib/local/permissions its policy. ${z.prettifyError(error)}`);
    return data;
  }
  const ofType = (type: string) => resources.filter(([, { Type }]) => Type === type);

  const attachedTo = (roleId: string) =>
    ofType('AWS::IAM::Policy')
      .filter(([, { Properties }]) => z.array(z.unknown()).parse(resolve(Properties['Roles'])).includes(roleId))
      .map(([id, { Properties }]) => read(documents.element, id, Properties));
  const roles = new Map<string, Role>();
  for (const [id, { Properties }] of ofType('AWS::Lambda::Function')) {
    // CDK's own function never runs here.
    if (!String(Properties['Runtime']).startsWith('nodejs')) continue;
    const [roleId = ''] = z.object({ 'Fn::GetAtt': z.array(z.string()) }).parse(Properties['Role'])['Fn::GetAtt'];
    const own = read(role, roleId, Resources[roleId]?.Properties).Policies;
    roles.set(id, { arn: arnOf(roleId), grants: [...own, ...attachedTo(roleId)].flatMap(grantsOf) });
  }

  const tables = ofType('AWS::DynamoDB::GlobalTable').map(([id, { Properties }]) => {
    const [only] = read(table, id, Properties).Replicas;
    return { arn: arnOf(id), ...only };
  });
  const denials = tables.flatMap(({ arn, ResourcePolicy }) =>
    (ResourcePolicy ? grantsOf(ResourcePolicy) : []).map((grant) => ({ ...grant, resource: arn })),
  );
  if (denials.some(({ Effect }) => Effect === 'Allow'))
    throw new SetupError('The policy of a table allows something: teach lib/local/permissions to allow it.');
  const keys = tables.flatMap(({ arn, SSESpecification }): [string, string][] =>
    SSESpecification ? [[arn, SSESpecification.KMSMasterKeyId]] : [],
  );
  return { roles, denials, keys: new Map(keys) };
}

function grantsOf({ PolicyDocument }: z.output<typeof documents>[number]): Grant[] {
  return PolicyDocument.Statement.flatMap(({ Action, Resource, Effect, Condition }) =>
    Action.flatMap((action) => Resource.map((resource) => ({ Effect, action, resource, Condition }))),
  );
}

/** The grants that let a role make the request: none if it may not. */
export function allowing({ grants }: Pick<Role, 'grants'>, request: AccessRequest): readonly Grant[] {
  const found = grants.filter((grant) => isAbout(grant, request));
  return found.some(({ Effect }) => Effect === 'Deny') ? [] : found;
}

/** Whether the request is for the grant's action, on its resource and under its condition. */
export function isAbout({ action, resource, Condition }: Grant, request: AccessRequest): boolean {
  return (
    matches(action, request.action) &&
    request.resources.some((each) => matches(resource, each)) &&
    holds(Condition, request.context)
  );
}

function holds(condition: Grant['Condition'], context: Context): boolean {
  return operatorNames.options.every((operator) =>
    Object.entries(condition[operator] ?? {}).every(([key, wanted]) =>
      conditionOperators[operator](context[key] ?? [], wanted),
    ),
  );
}

function matches(pattern: string, text: string): boolean {
  if (!pattern.includes('*') && !pattern.includes('?')) return pattern === text;
  const escaped = pattern.replaceAll(/[\\^$.+()[\]{}|]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(text);
}
