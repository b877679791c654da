import * as z from 'zod';
import { eventInvokeConfigProperties } from './async-invocations.ts';
import { bucketDeploymentProperties, bucketProperties } from './buckets.ts';
import {
  cachePolicyProperties,
  originRequestPolicyProperties,
  responseHeadersPolicyProperties,
} from './cloudfront-policies.ts';
import { distributionProperties, planDistribution } from './distribution.ts';
import { generatedSecrets, withSecrets } from './dynamic-references.ts';
import { checkRule, eventBusProperties, ruleProperties } from './event-bus.ts';
import { eventSourceMappingProperties, recordFilter } from './event-source-mapping.ts';
import { functionProperties } from './functions.ts';
import { apiProperties, integrationProperties, routeProperties, stageProperties } from './http-api.ts';
import { createResolver, type Addresses, type RawResource } from './intrinsics.ts';
import { secretProperties } from './secrets.ts';
import { queueProperties } from './queue-properties.ts';
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

/** A name that ends in `::` covers a whole service. */
const inertTypes: Record<string, string> = {
  'AWS::IAM::': 'nothing on one machine checks permissions; tests of the template do',
  'AWS::KMS::': 'a laptop encrypts its own disk',
  'AWS::Logs::': 'functions log to files in the data directory',
  'AWS::CloudWatch::': 'nobody watches the alarms and the dashboard of a laptop',
  'AWS::SNS::Topic': 'only alarms publish to topics',
  'AWS::SNS::TopicPolicy': 'nothing on one machine checks permissions; tests of the template do',
  'AWS::Lambda::Permission': 'nothing on one machine checks permissions; tests of the template do',
  'AWS::SQS::QueuePolicy': 'nothing on one machine checks permissions; tests of the template do',
  'AWS::S3::BucketPolicy': 'nothing on one machine checks permissions; tests of the template do',
  'AWS::CloudFront::OriginAccessControl': 'only the local distribution reads the local bucket',
  'AWS::Lambda::LayerVersion': 'only the bucket deployment uses one; a function of ours that names a layer is refused',
  'AWS::Cognito::UserPoolDomain': 'the local identity provider has its own address',
  'AWS::Cognito::ManagedLoginBranding': 'the local identity provider has its own page',
  'AWS::WAFv2::': 'only this machine reaches loopback',
  'AWS::ApiGatewayV2::DomainName': 'loopback has no domains',
  'AWS::ApiGatewayV2::ApiMapping': 'loopback has no domains',
  'AWS::CDK::Metadata': 'usage statistics',
};

const substitutedTypes: Record<string, string> = {
  'Custom::CDKBucketDeployment': 'its assets are copied into the bucket',
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
      .filter(({ Type }) => Object.hasOwn(substitutedTypes, Type))
      .map(({ Properties }) => JSON.stringify(Properties['ServiceToken'])),
  );
  const isProvider = (logicalId: string) => providers.has(JSON.stringify({ 'Fn::GetAtt': [logicalId, 'Arn'] }));
  const honored = new Set<string>();

  function all<Schema extends z.ZodType>(type: string, schema: Schema): Resource<z.output<Schema>>[] {
    honored.add(type);
    return [...resources]
      .filter(([logicalId, { Type }]) => Type === type && !isProvider(logicalId))
      .map(([logicalId, { Properties }]) => {
        const parsed = schema.safeParse(withSecrets(resolve(Properties), generated));
        if (!parsed.success) throw new SetupError(`${logicalId} (${type}): ${faultOf(parsed.error.issues)}`);
        return { logicalId, name: physicalName(logicalId), properties: parsed.data };
      });
  }

  const stack = {
    tables: all('AWS::DynamoDB::GlobalTable', tableProperties),
    queues: all('AWS::SQS::Queue', queueProperties),
    functions: all('AWS::Lambda::Function', functionProperties),
    eventSources: all('AWS::Lambda::EventSourceMapping', eventSourceMappingProperties),
    invokeConfigs: all('AWS::Lambda::EventInvokeConfig', eventInvokeConfigProperties),
    buses: all('AWS::Events::EventBus', eventBusProperties),
    rules: all('AWS::Events::Rule', ruleProperties),
    apis: all('AWS::ApiGatewayV2::Api', apiProperties),
    stages: all('AWS::ApiGatewayV2::Stage', stageProperties),
    integrations: all('AWS::ApiGatewayV2::Integration', integrationProperties),
    routes: all('AWS::ApiGatewayV2::Route', routeProperties),
    buckets: all('AWS::S3::Bucket', bucketProperties),
    deployments: all('Custom::CDKBucketDeployment', bucketDeploymentProperties),
    distributions: all('AWS::CloudFront::Distribution', distributionProperties),
    viewerFunctions: all('AWS::CloudFront::Function', viewerFunctionProperties),
    headersPolicies: all('AWS::CloudFront::ResponseHeadersPolicy', responseHeadersPolicyProperties),
    cachePolicies: all('AWS::CloudFront::CachePolicy', cachePolicyProperties),
    originRequestPolicies: all('AWS::CloudFront::OriginRequestPolicy', originRequestPolicyProperties),
    userPools: all('AWS::Cognito::UserPool', userPoolProperties),
    userPoolClients: all('AWS::Cognito::UserPoolClient', userPoolClientProperties),
    secrets: all('AWS::SecretsManager::Secret', secretProperties).map((secret) => ({
      ...secret,
      text: secret.properties.SecretString ?? generated(secret.name),
    })),
    outputs: Object.fromEntries(
      Object.entries(template.data.Outputs).map(([name, { Value }]) => [name, String(resolve(Value))]),
    ),
  };

  for (const [logicalId, { Type }] of resources) {
    if (!honored.has(Type) && !isInert(Type)) {
      throw new SetupError(
        `${logicalId}: the local stack does not know resources of type ${Type}. Add the type to lib/local/template.ts as honored, inert or substituted.`,
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
      cachePolicies: stack.cachePolicies,
      originRequestPolicies: stack.originRequestPolicies,
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
