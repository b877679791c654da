import * as z from 'zod';
import { eventInvokeConfigProperties } from './async-invocations.ts';
import { bucketDeploymentProperties, bucketProperties } from './buckets.ts';
import { responseHeadersPolicyProperties } from './cloudfront-policies.ts';
import { distributionProperties, planDistribution } from './distribution.ts';
import { generatedSecrets, secretProperties, withSecrets } from './sign-in.ts';
import { checkRule, eventBusProperties, ruleProperties } from './event-bus.ts';
import { eventSourceMappingProperties, recordFilter } from './event-source-mapping.ts';
import { functionProperties } from './functions.ts';
import { apiProperties, integrationProperties, routeProperties, stageProperties } from './http-api.ts';
import { createResolver, type Addresses, type RawResource } from './intrinsics.ts';
import { queueProperties } from './queues.ts';
import { SetupError } from './setup-error.ts';
import { tableProperties } from './tables.ts';
import { userPoolClientProperties, userPoolProperties } from './user-pool.ts';
import { viewerFunctionProperties } from './viewer-function.ts';

export interface Resource<Properties> {
  readonly logicalId: string;
  readonly name: string;
  readonly properties: Properties;
}

const templateSchema = z.strictObject({
  AWSTemplateFormatVersion: z.string().optional(),
  Description: z.string().optional(),
  Metadata: z.unknown().optional(),
  Parameters: z.record(z.string(), z.looseObject({ Default: z.unknown().optional() })).optional(),
  Rules: z.unknown().optional(),
  Conditions: z.unknown().optional(),
  Resources: z.record(
    z.string(),
    z.strictObject({
      Type: z.string(),
      Properties: z.record(z.string(), z.unknown()).default({}),
      DependsOn: z.unknown().optional(),
      Metadata: z.unknown().optional(),
      DeletionPolicy: z.string().optional(),
      UpdateReplacePolicy: z.string().optional(),
      Condition: z.string().optional(),
    }),
  ),
  Outputs: z.record(z.string(), z.looseObject({ Value: z.unknown() })).default({}),
});

/** Every type that the local stack honors, with the properties it knows. */
export const honored = {
  tables: { type: 'AWS::DynamoDB::GlobalTable', properties: tableProperties },
  queues: { type: 'AWS::SQS::Queue', properties: queueProperties },
  functions: { type: 'AWS::Lambda::Function', properties: functionProperties },
  eventSources: { type: 'AWS::Lambda::EventSourceMapping', properties: eventSourceMappingProperties },
  invokeConfigs: { type: 'AWS::Lambda::EventInvokeConfig', properties: eventInvokeConfigProperties },
  buses: { type: 'AWS::Events::EventBus', properties: eventBusProperties },
  rules: { type: 'AWS::Events::Rule', properties: ruleProperties },
  apis: { type: 'AWS::ApiGatewayV2::Api', properties: apiProperties },
  stages: { type: 'AWS::ApiGatewayV2::Stage', properties: stageProperties },
  integrations: { type: 'AWS::ApiGatewayV2::Integration', properties: integrationProperties },
  routes: { type: 'AWS::ApiGatewayV2::Route', properties: routeProperties },
  buckets: { type: 'AWS::S3::Bucket', properties: bucketProperties },
  deployments: { type: 'Custom::CDKBucketDeployment', properties: bucketDeploymentProperties },
  distributions: { type: 'AWS::CloudFront::Distribution', properties: distributionProperties },
  viewerFunctions: { type: 'AWS::CloudFront::Function', properties: viewerFunctionProperties },
  headersPolicies: { type: 'AWS::CloudFront::ResponseHeadersPolicy', properties: responseHeadersPolicyProperties },
  userPools: { type: 'AWS::Cognito::UserPool', properties: userPoolProperties },
  userPoolClients: { type: 'AWS::Cognito::UserPoolClient', properties: userPoolClientProperties },
  secrets: { type: 'AWS::SecretsManager::Secret', properties: secretProperties },
};

/** A name that ends in `::` covers a whole service. */
export const inertTypes: Record<string, string> = {
  'AWS::IAM::': 'lib/local/permissions reads it',
  'AWS::KMS::': 'a laptop encrypts its own disk',
  'AWS::Logs::': 'functions log to files in the data directory',
  'AWS::CloudWatch::': 'nobody watches the alarms and the dashboard of a laptop',
  'AWS::SNS::Topic': 'only alarms publish to topics',
  'AWS::SNS::TopicPolicy': 'nothing on one machine checks permissions; tests of the template do',
  'AWS::Lambda::Version': 'a function has one version here',
  'AWS::CloudFormation::Stack': 'a nested stack only moves aliases, and an alias is its function here',
  'AWS::Lambda::Permission': 'nothing on one machine checks permissions; tests of the template do',
  'AWS::SQS::QueuePolicy': 'nothing on one machine checks permissions; tests of the template do',
  'AWS::S3::BucketPolicy': 'nothing on one machine checks permissions; tests of the template do',
  'AWS::CloudFront::OriginAccessControl': 'only the local distribution reads the local bucket',
  'AWS::Lambda::LayerVersion': 'only the bucket deployment uses one; a function of ours that names a layer is refused',
  'AWS::Cognito::UserPoolDomain': 'the local identity provider has its own address',
  'AWS::Cognito::ManagedLoginBranding': 'the local identity provider has its own page',
  'AWS::WAFv2::': 'only this machine reaches loopback',
};

/** Throws a SetupError that names an unknown resource type or property. */
export function readStack(source: unknown, addresses: Addresses) {
  const template = templateSchema.safeParse(source);
  if (!template.success)
    throw new SetupError(`The local stack cannot read the template: ${faultOf(template.error.issues)}`);
  const resources = new Map<string, RawResource>(Object.entries(template.data.Resources));
  const parameters = Object.fromEntries(
    Object.entries(template.data.Parameters ?? {}).map(([name, { Default }]) => [name, Default]),
  );
  const { resolve, physicalName } = createResolver(resources, parameters, addresses);

  const generated = generatedSecrets();

  const providers = new Set(
    [...resources.values()]
      .filter(({ Type }) => Type === honored.deployments.type)
      .map(({ Properties }) => JSON.stringify(Properties['ServiceToken'])),
  );
  const isProvider = (logicalId: string) => providers.has(JSON.stringify({ 'Fn::GetAtt': [logicalId, 'Arn'] }));

  function all<Schema extends z.ZodType>(known: {
    readonly type: string;
    readonly properties: Schema;
  }): Resource<z.output<Schema>>[] {
    return [...resources]
      .filter(([logicalId, { Type }]) => Type === known.type && !isProvider(logicalId))
      .map(([logicalId, { Properties }]) => {
        const parsed = z.safeParse(known.properties, withSecrets(resolve(Properties), generated));
        if (!parsed.success) throw new SetupError(`${logicalId} (${known.type}): ${faultOf(parsed.error.issues)}`);
        return { logicalId, name: physicalName(logicalId), properties: parsed.data };
      });
  }

  const stack = {
    tables: all(honored.tables),
    queues: all(honored.queues),
    functions: all(honored.functions),
    eventSources: all(honored.eventSources),
    invokeConfigs: all(honored.invokeConfigs),
    buses: all(honored.buses),
    rules: all(honored.rules),
    apis: all(honored.apis),
    stages: all(honored.stages),
    integrations: all(honored.integrations),
    routes: all(honored.routes),
    buckets: all(honored.buckets),
    deployments: all(honored.deployments),
    distributions: all(honored.distributions),
    viewerFunctions: all(honored.viewerFunctions),
    headersPolicies: all(honored.headersPolicies),
    userPools: all(honored.userPools),
    userPoolClients: all(honored.userPoolClients),
    secrets: all(honored.secrets).map((secret) => ({
      ...secret,
      text: secret.properties.SecretString ?? generated(secret.name),
    })),
    outputs: Object.fromEntries(
      Object.entries(template.data.Outputs).map(([name, { Value }]) => [name, String(resolve(Value))]),
    ),
  };

  const honoredTypes = new Set(Object.values(honored).map(({ type }) => type));
  for (const [logicalId, { Type }] of resources) {
    if (!honoredTypes.has(Type) && !isInert(Type)) {
      throw new SetupError(
        `${logicalId}: the local stack does not know resources of type ${Type}. Add the type to lib/local/template.ts as honored or inert.`,
      );
    }
    const { Condition } = template.data.Resources[logicalId] ?? {};
    if (Condition !== undefined && !isInert(Type))
      throw new SetupError(`${logicalId} (${Type}): the local stack does not support conditions.`);
  }
  for (const rule of stack.rules) checkRule(rule);
  for (const mapping of stack.eventSources) recordFilter(mapping);
  const plans = stack.distributions.map((distribution) => ({
    logicalId: distribution.logicalId,
    plan: planDistribution({
      distribution,
      host: addresses.hosts.get(distribution.logicalId) ?? '',
      functions: stack.viewerFunctions,
      headersPolicies: stack.headersPolicies,
    }),
  }));
  return { ...stack, plans };
}

function isInert(type: string): boolean {
  return (
    Object.hasOwn(inertTypes, type) ||
    Object.keys(inertTypes).some((service) => service.endsWith('::') && type.startsWith(service))
  );
}

function faultOf(issues: readonly z.core.$ZodIssue[]): string {
  const [issue] = issues;
  if (issue === undefined) return 'unknown fault';
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return `the local stack does not know the property ${[...path, ...issue.keys.slice(0, 1)].join('.')}. Honor it in lib/local, or mark it inert with the reason.`;
  }
  return `the local stack does not support its property ${path.join('.')}: ${issue.message}`;
}
