import { accountId, arn, region, userPoolClientSecret } from './account.ts';
import { isObject, type JsonObject } from './json.ts';
import { SetupError } from './setup-error.ts';

export interface Addresses {
  readonly queueUrl: (name: string) => string;
  readonly hosts: ReadonlyMap<string, string>;
}

export interface RawResource {
  readonly Type: string;
  readonly Properties: JsonObject;
}

/** Every resource has tags, for bills and searches. */
const tags = ['Tags', 'UserPoolTags'];

const urlSuffix = 'amazonaws.com';
const pseudoParameters: JsonObject = {
  'AWS::AccountId': accountId,
  'AWS::Region': region,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': urlSuffix,
  'AWS::StackName': 'local',
  'AWS::StackId': arn('cloudformation', 'stack/local/local'),
};

/** Resources are named by their logical IDs, so the names survive restarts. Only buses bring their own names. */
export function createResolver(
  resources: ReadonlyMap<string, RawResource>,
  parameters: JsonObject,
  addresses: Addresses,
) {
  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve).filter((item) => item !== undefined);
    if (!isObject(value)) return value;
    const [entry, ...others] = Object.entries(value);
    if (entry !== undefined && others.length === 0) {
      const [key, argument] = entry;
      if (key === 'Ref') return reference(textOf(argument));
      if (key.startsWith('Fn::')) return call(key, argument);
    }
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) => {
        if (tags.includes(key)) return [];
        const resolved = resolve(inner);
        return resolved === undefined ? [] : [[key, resolved]];
      }),
    );
  }

  function call(name: string, argument: unknown): unknown {
    switch (name) {
      case 'Fn::GetAtt': {
        const [logicalId, attribute] = listOf(argument, name);
        return attributeOf(textOf(logicalId), textOf(attribute));
      }
      case 'Fn::Join': {
        const [separator, parts] = listOf(argument, name);
        return localUrls(listOf(resolve(parts), name).map(textOf).join(textOf(separator)));
      }
      case 'Fn::Sub':
        return localUrls(substitute(textOf(argument)));
      default:
        throw new SetupError(
          `The template uses ${name}, which the local stack does not support. Add it to lib/local/intrinsics.ts.`,
        );
    }
  }

  function substitute(template: string): string {
    return template.replaceAll(/\$\{([^}]*)\}/g, (_whole: string, name: string) => textOf(reference(name)));
  }

  function reference(name: string): unknown {
    if (name === 'AWS::NoValue') return undefined;
    if (Object.hasOwn(pseudoParameters, name)) return pseudoParameters[name];
    if (Object.hasOwn(parameters, name)) return parameters[name];
    const type = resourceAt(name).Type;
    if (type === 'AWS::SQS::Queue') return queueUrl(name);
    if (type === 'AWS::SNS::Topic') return arn('sns', name);
    return type === 'AWS::CloudFront::Function' ? attributeOf(name, 'FunctionARN') : physicalName(name);
  }

  function attributeOf(logicalId: string, attribute: string): string {
    const { Type } = resourceAt(logicalId);
    const name = physicalName(logicalId);
    const known = attributes(Type, logicalId, name)[attribute];
    if (known !== undefined) return known;
    if (attribute === 'Arn') return arn(serviceOf(Type), name);
    if (attribute === 'Id' || attribute === 'Name' || attribute.endsWith('Id')) return name;
    throw new SetupError(
      `${logicalId} (${Type}): the local stack does not support its attribute ${attribute}. Add it to lib/local/intrinsics.ts.`,
    );
  }

  function attributes(type: string, logicalId: string, name: string): Record<string, string> {
    switch (type) {
      case 'AWS::DynamoDB::GlobalTable':
        return { Arn: arn('dynamodb', `table/${name}`), StreamArn: arn('dynamodb', `table/${name}/stream/local`) };
      case 'AWS::SQS::Queue':
        return { Arn: arn('sqs', name), QueueName: name, QueueUrl: queueUrl(logicalId) };
      case 'AWS::Lambda::Function':
        return { Arn: arn('lambda', `function:${name}`) };
      case 'AWS::Events::EventBus':
        return { Arn: arn('events', `event-bus/${name}`) };
      case 'AWS::Events::Rule':
        return { Arn: arn('events', `rule/${name}`) };
      case 'AWS::S3::Bucket':
        return {
          Arn: `arn:aws:s3:::${name}`,
          DomainName: `${name}.s3.${urlSuffix}`,
          RegionalDomainName: `${name}.s3.${region}.${urlSuffix}`,
        };
      case 'AWS::ApiGatewayV2::Api':
        return { ApiEndpoint: `http://${hostOf(logicalId)}` };
      case 'AWS::CloudFront::Distribution':
        return { DomainName: hostOf(logicalId) };
      case 'AWS::CloudFront::Function':
        return { FunctionARN: `arn:aws:cloudfront::${accountId}:function/${name}` };
      case 'AWS::Cognito::UserPool':
        return { Arn: arn('cognito-idp', `userpool/${name}`) };
      case 'AWS::Cognito::UserPoolClient':
        return { ClientSecret: userPoolClientSecret };
      default:
        return {};
    }
  }

  function localUrls(text: string): string {
    let local = text;
    for (const [logicalId, host] of addresses.hosts) {
      local = local
        .replaceAll(`${logicalId}.execute-api.${region}.${urlSuffix}`, host)
        .replaceAll(`cognito-idp.${region}.${urlSuffix}/${logicalId}`, host)
        .replaceAll(`https://${host}`, `http://${host}`);
    }
    return local;
  }

  function physicalName(logicalId: string): string {
    const { Type, Properties } = resourceAt(logicalId);
    if (Type === 'AWS::Events::EventBus') return textOf(resolve(Properties['Name']));
    return Type === 'AWS::S3::Bucket' ? logicalId.toLowerCase() : logicalId;
  }

  function queueUrl(logicalId: string): string {
    return addresses.queueUrl(physicalName(logicalId));
  }

  function hostOf(logicalId: string): string {
    return addresses.hosts.get(logicalId) ?? '127.0.0.1';
  }

  function resourceAt(logicalId: string): RawResource {
    const resource = resources.get(logicalId);
    if (resource === undefined) throw new SetupError(`The template refers to ${logicalId}, which it does not define.`);
    return resource;
  }

  return { resolve, physicalName };
}

function serviceOf(type: string): string {
  return (type.split('::')[1] ?? 'local').toLowerCase();
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new SetupError(`The template has ${JSON.stringify(value)} where a string is needed.`);
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new SetupError(`The template calls ${name} with something that is not a list.`);
}
