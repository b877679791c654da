import { join } from 'node:path';
import { assetPath, isolateAssets } from '../../lib/local/functions.ts';
import type { StageName } from '../../lib/settings/stage.ts';
import { deployedAssembly } from '../support/built.ts';

export interface Resource {
  readonly id: string;
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
  readonly DependsOn?: string | string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

export interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

export function target(value: unknown): string {
  const { Ref, 'Fn::GetAtt': attribute } = value as { Ref?: string; 'Fn::GetAtt'?: [string, string] };
  return Ref ?? attribute?.[0] ?? JSON.stringify(value);
}

export function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}

export function named(found: readonly Resource[], prefix: string): Resource {
  const resource = found.find(({ id }) => id.startsWith(prefix));
  if (!resource) throw new Error(`no ${prefix} in the template`);
  return resource;
}

export const roleOf = ({ Properties }: Resource) => target(Properties['Role']);
export const actionsOf = ({ Action }: Statement) => [Action].flat();

async function synthesized<Stage extends StageName>(stage: Stage) {
  const { template, assetDirectory } = await deployedAssembly(stage);
  isolateAssets(assetDirectory);
  const { Resources, Outputs } = template as {
    Resources: Record<string, Omit<Resource, 'id'>>;
    Outputs: Record<string, { Value: unknown }>;
  };
  const resources: Resource[] = Object.entries(Resources).map(([id, resource]) => ({ ...resource, id }));
  const all = (type: string) => resources.filter(({ Type }) => Type === type);
  const lambdas = all('AWS::Lambda::Function');
  // CDK's own function copies the page into its bucket.
  const functions = lambdas.filter(({ Properties }) => Properties['Runtime'] !== 'python3.13');
  const statementsOf = (role: string): Statement[] => [
    ...all('AWS::IAM::Role')
      .filter(({ id }) => id === role)
      .flatMap(({ Properties }) => (Properties['Policies'] ?? []) as object[])
      .flatMap((policy) => at(policy, 'PolicyDocument', 'Statement') as Statement[]),
    ...all('AWS::IAM::Policy')
      .filter(({ Properties }) => (Properties['Roles'] as unknown[]).some((each) => target(each) === role))
      .flatMap(({ Properties }) => at(Properties, 'PolicyDocument', 'Statement') as Statement[]),
  ];
  return {
    stage,
    resources,
    outputs: Outputs,
    all,
    lambdas,
    functions,
    statementsOf,
    allowed: (action: string, resource: string) =>
      functions.filter((each) =>
        statementsOf(roleOf(each)).some(
          (statement) =>
            actionsOf(statement).includes(action) && JSON.stringify(statement.Resource).includes(`"${resource}"`),
        ),
      ),
    isDeadLetters: (queue: string) =>
      Number(resources.find(({ id }) => id === queue)?.Properties['MessageRetentionPeriod']) === 14 * 24 * 3600,
    bundleOf: ({ Properties }: Resource) =>
      join(assetPath(assetDirectory, at(Properties, 'Code', 'S3Key') as string), 'index.js'),
  };
}

export const stages = [await synthesized('sandbox'), await synthesized('production')] as const;
