import { fixed } from '../../lib/deploy/review/fixed-properties.ts';
import type { ResourceChange } from '../../lib/deploy/review/words.ts';

interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

export type Resources = Readonly<Record<string, Resource>>;

/** What else the comparison reads. */
const read: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::GlobalTable': ['GlobalSecondaryIndexes', 'AttributeDefinitions'],
  'AWS::ApiGatewayV2::Route': ['RouteKey', 'Target'],
  'AWS::ApiGatewayV2::Integration': ['IntegrationUri'],
};

const pick = (values: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));

/** The part of a template that a later release is compared with. */
export function comparable({ Resources: all }: { readonly Resources: Resources }): Resources {
  return Object.fromEntries(
    Object.entries(all).flatMap(([id, { Type, DeletionPolicy, Properties = {} }]) => {
      const names = fixed[Type];
      if (!names) return [];
      const kept = {
        ...pick(Properties, [...names, ...(read[Type] ?? [])]),
        ...(Type === 'AWS::CloudFront::Distribution' && { apis: apisIn(Properties, all) }),
      };
      return [[id, { Type, ...(DeletionPolicy && { DeletionPolicy }), Properties: kept }]];
    }),
  );
}

/** The APIs that a distribution's origins name. */
function apisIn(properties: unknown, all: Resources): string[] {
  const text = JSON.stringify(properties);
  const apis = Object.keys(all).filter((id) => all[id]?.Type === 'AWS::ApiGatewayV2::Api');
  return apis.filter((id) => text.includes(`{"Ref":"${id}"}`));
}

const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);

export function changesBetween(before: Resources, after: Resources): ResourceChange[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return ids.flatMap((id): ResourceChange[] => {
    const [old, current] = [before[id], after[id]];
    if (!old) return [{ id, type: current?.Type ?? '', does: 'add' }];
    if (!current) return [{ id, type: old.Type, does: old.DeletionPolicy?.startsWith('Retain') ? 'forget' : 'delete' }];
    const differs = (name: string) => !same(old.Properties?.[name], current.Properties?.[name]);
    if (old.Type !== current.Type || (fixed[old.Type] ?? []).some(differs))
      return [{ id, type: current.Type, does: 'replace' }];
    return same(old, current) ? [] : [{ id, type: current.Type, does: 'change' }];
  });
}

const lasting = [
  'AWS::DynamoDB::GlobalTable',
  'AWS::S3::Bucket',
  'AWS::Cognito::UserPool',
  'AWS::Cognito::UserPoolDomain',
  'AWS::KMS::Key',
  'AWS::SecretsManager::Secret',
  'AWS::Events::EventBus',
  'AWS::ApiGatewayV2::Api',
  'AWS::CloudFront::Distribution',
  'AWS::Logs::DeliverySource',
];

/** Why `after` must not follow `before` in one deploy: people would lose data or get errors. */
export function refusals(before: Resources, after: Resources): string[] {
  const lost = changesBetween(before, after)
    .filter(({ type, does }) => lasting.includes(type) && ['replace', 'delete', 'forget'].includes(does))
    .map(({ id, type, does }) => `${type} ${id}: ${does}`);
  return [...lost, ...lostRoutes(before, after), ...movedOrigins(before, after), ...refusedIndexes(before, after)];
}

const ofType = (resources: Resources, type: string) =>
  Object.entries(resources).flatMap(([id, { Type, Properties = {} }]) => (Type === type ? [{ id, Properties }] : []));

/** The logical ID of each route's function. */
function routesOf(resources: Resources): Map<string, string | undefined> {
  const functionOf = new Map(
    ofType(resources, 'AWS::ApiGatewayV2::Integration').map(({ id, Properties }) => [
      id,
      // With gradual deploys, the URI also names an alias.
      /"Fn::GetAtt":\["(\w+)"/.exec(JSON.stringify(Properties['IntegrationUri']))?.[1],
    ]),
  );
  return new Map(
    ofType(resources, 'AWS::ApiGatewayV2::Route').map(({ Properties: { ApiId, RouteKey, Target } }) => {
      const [integration = ''] = [...functionOf.keys()].filter((id) => JSON.stringify(Target).includes(`"${id}"`));
      return [`${JSON.stringify(ApiId)} ${String(RouteKey)}`, functionOf.get(integration)];
    }),
  );
}

/**
 * A page that is open still calls them. A role may call only the functions of the new release from the moment when its
 * policy changes, and a route changes after that: a route must keep its function.
 */
function lostRoutes(before: Resources, after: Resources): string[] {
  const routes = routesOf(after);
  return [...routesOf(before)].flatMap(([route, handler]) => {
    if (!routes.has(route)) return [`${route}: removed`];
    const isInvoked = [...routes.values()].includes(handler);
    return isInvoked ? [] : [`${route}: answers 500 until it has its new function`];
  });
}

/** CloudFront takes minutes to switch to another API. Functions know the distributions' URLs, so no DependsOn can hold them back. */
function movedOrigins(before: Resources, after: Resources): string[] {
  return ofType(after, 'AWS::CloudFront::Distribution').flatMap(({ id, Properties }) => {
    const apis = Properties['apis'] as readonly string[];
    const isNew = before[id] !== undefined && apis.some((api) => before[api] === undefined);
    return isNew ? [`${id}: calls an API that only this release creates`] : [];
  });
}

interface Index {
  readonly IndexName: string;
}

/** DynamoDB creates or deletes one index per table and update, and CloudFormation cannot change one's key. */
function refusedIndexes(before: Resources, after: Resources): string[] {
  return ofType(after, 'AWS::DynamoDB::GlobalTable').flatMap(({ id, Properties }) => {
    const old = before[id]?.Properties;
    if (!old) return [];
    const [indexes, current] = [old, Properties].map(
      (each) => new Map(((each['GlobalSecondaryIndexes'] ?? []) as Index[]).map((index) => [index.IndexName, index])),
    ) as [Map<string, Index>, Map<string, Index>];
    const names = [...new Set([...indexes.keys(), ...current.keys()])];
    const changed = names.filter(
      (name) => indexes.has(name) && current.has(name) && !same(indexes.get(name), current.get(name)),
    );
    const made = names.filter((name) => indexes.has(name) !== current.has(name));
    return [
      ...changed.map((name) => `${id}: index ${name} changes: give it another name`),
      ...(made.length > 1 ? [`${id}: ${made.join(' and ')} in one update`] : []),
    ];
  });
}
