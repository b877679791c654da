import { describe, expect, it } from 'vitest';
import { nameInArn } from '../../lib/local/account.ts';
import { readStack } from '../../lib/local/template.ts';
import { compilePattern } from '../../lib/local/event-pattern.ts';

const addresses = {
  queueUrl: (name: string) => `http://127.0.0.1:7000/000000000000/${name}`,
  hosts: new Map([
    ['Api', '127.0.0.1:4000'],
    ['Site', '127.0.0.1:4001'],
  ]),
};
const read = (Resources: object, rest: object = {}) => readStack({ Resources, ...rest }, addresses);

const queue = (Properties: object = {}) => ({ Type: 'AWS::SQS::Queue', Properties });
const lambda = (Properties: object = {}) => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    Code: { S3Bucket: 'b', S3Key: 'k.zip' },
    Handler: 'index.handler',
    Runtime: 'nodejs24.x',
    ...Properties,
  },
});

describe('the local stack refuses unknown resources and properties', () => {
  it.each([
    [
      'a resource type',
      { Topic: { Type: 'AWS::Kinesis::Stream' } },
      'Topic: the local stack does not know resources of type AWS::Kinesis::Stream',
    ],
    [
      'a property',
      { Jobs: queue({ FifoThroughputLimit: 'perQueue' }) },
      'Jobs (AWS::SQS::Queue): the local stack does not know the property FifoThroughputLimit',
    ],
    [
      'a nested property',
      { Jobs: queue({ RedrivePolicy: { deadLetterTargetArn: 'a', maxReceiveCount: 1, other: 1 } }) },
      'the property RedrivePolicy.other',
    ],
    [
      'a value',
      { Fn: lambda({ Runtime: 'python3.13' }) },
      'Fn (AWS::Lambda::Function): the local stack does not support its property Runtime',
    ],
    [
      'a condition',
      { Jobs: { ...queue(), Condition: 'Sometimes' } },
      'Jobs (AWS::SQS::Queue): the local stack does not support conditions',
    ],
    [
      'an intrinsic function',
      { Jobs: queue({ VisibilityTimeout: { 'Fn::ImportValue': 'x' } }) },
      'The template uses Fn::ImportValue',
    ],
    [
      'an attribute',
      { Jobs: queue(), Fn: lambda({ Handler: { 'Fn::GetAtt': ['Jobs', 'Color'] } }) },
      'Jobs (AWS::SQS::Queue): the local stack does not support its attribute Color',
    ],
    [
      'an event pattern',
      { R: { Type: 'AWS::Events::Rule', Properties: { EventPattern: { source: [{ wildcard: 'a*' }] }, Targets: [] } } },
      'R: the local stack does not support the pattern {"wildcard":"a*"}',
    ],
    [
      'a route of any method',
      {
        R: {
          Type: 'AWS::ApiGatewayV2::Route',
          Properties: { ApiId: 'a', RouteKey: 'ANY /a', Target: 'integrations/i' },
        },
      },
      'its property RouteKey: only one method',
    ],
    [
      'a schedule',
      { R: { Type: 'AWS::Events::Rule', Properties: { ScheduleExpression: 'cron(0 12 * * ? *)', Targets: [] } } },
      'R: the local stack supports schedules such as rate(1 minute)',
    ],
  ])('%s', (_, resources, message) => {
    expect(() => read(resources)).toThrow(message);
  });

  it('a transform of the whole template', () => {
    expect(() => read({}, { Transform: 'AWS::Serverless-2016-10-31' })).toThrow('the property Transform');
  });
});

describe('values of the template', () => {
  const variables = (Variables: object, others: object = {}) =>
    read({ ...others, Fn: lambda({ Environment: { Variables } }) }).functions[0]?.properties.Environment?.Variables;

  it('name local queues by URLs of this machine', () => {
    expect(variables({ URL: { Ref: 'Jobs' }, ARN: { 'Fn::GetAtt': ['Jobs', 'Arn'] } }, { Jobs: queue() })).toEqual({
      URL: 'http://127.0.0.1:7000/000000000000/Jobs',
      ARN: 'arn:aws:sqs:us-east-1:000000000000:Jobs',
    });
  });

  it('turn an https address of an API or a distribution into the local one', () => {
    const api = { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP' } };
    expect(
      variables(
        {
          JOINED: {
            'Fn::Join': [
              '',
              [
                'https://',
                { Ref: 'Api' },
                '.execute-api.',
                { Ref: 'AWS::Region' },
                '.',
                { Ref: 'AWS::URLSuffix' },
                '/x',
              ],
            ],
          },
          ENDPOINT: { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] },
          SUBSTITUTED: { 'Fn::Sub': 'https://127.0.0.1:4001/${AWS::AccountId}' },
        },
        { Api: api },
      ),
    ).toEqual({
      JOINED: 'http://127.0.0.1:4000/x',
      ENDPOINT: 'http://127.0.0.1:4000',
      SUBSTITUTED: 'http://127.0.0.1:4001/000000000000',
    });
  });

  it('take the default of a parameter', () => {
    const stack = read(
      { Fn: lambda({ Environment: { Variables: { P: { Ref: 'Stage' } } } }) },
      { Parameters: { Stage: { Type: 'String', Default: 'blue' } } },
    );
    expect(stack.functions[0]?.properties.Environment?.Variables).toEqual({ P: 'blue' });
  });
});

describe('inert and substituted resources', () => {
  it('are left alone with all their properties', () => {
    expect(
      read({ Role: { Type: 'AWS::IAM::Role', Properties: { Anything: 1 } }, Alarm: { Type: 'AWS::CloudWatch::Alarm' } })
        .functions,
    ).toEqual([]);
  });

  it('leave out the provider function of a bucket deployment, and only that', () => {
    const stack = read({
      Deploy: {
        Type: 'Custom::CDKBucketDeployment',
        Properties: {
          ServiceToken: { 'Fn::GetAtt': ['Provider', 'Arn'] },
          SourceObjectKeys: [],
          DestinationBucketName: 'b',
          Prune: false,
        },
      },
      Provider: lambda({ Runtime: 'python3.13', Layers: ['l'] }),
      Own: lambda(),
    });
    expect(stack.functions.map(({ logicalId }) => logicalId)).toEqual(['Own']);
  });
});

it('takes an alias of a function for the function', () => {
  const { eventSources } = read({
    Fn: lambda(),
    Jobs: queue(),
    Shift: { Type: 'AWS::CloudFormation::Stack', Properties: {} },
    Reading: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        FunctionName: { 'Fn::Join': ['', [{ 'Fn::GetAtt': ['Fn', 'Arn'] }, ':live']] },
        EventSourceArn: { 'Fn::GetAtt': ['Jobs', 'Arn'] },
      },
    },
  });
  expect(eventSources.map(({ properties }) => nameInArn(properties.FunctionName))).toEqual(['Fn']);
});

describe('event pattern', () => {
  const matches = (pattern: unknown, event: unknown) => compilePattern(pattern, 'Rule')(event);

  describe('a pattern', () => {
    it.each([
      ['an exact value', { a: ['x'] }, { a: 'x' }, { a: 'y' }],
      ['any of several values', { a: ['x', 1, null] }, { a: null }, { a: 2 }],
      ['a value inside an array of the event', { a: ['x'] }, { a: ['w', 'x'] }, { a: ['w'] }],
      ['a nested field', { a: { b: ['x'] } }, { a: { b: 'x' } }, { a: 'x' }],
      ['every field', { a: ['x'], b: ['y'] }, { a: 'x', b: 'y' }, { a: 'x' }],
      ['a prefix', { a: [{ prefix: 'session.' }] }, { a: 'session.paid' }, { a: 'sessions' }],
      ['any value but several, if there is one', { a: [{ 'anything-but': ['x', 'y'] }] }, { a: 'z' }, {}],
      ['a field that exists', { a: [{ exists: true }] }, { a: null }, { b: 1 }],
      ['a field that does not', { a: [{ exists: false }] }, { b: 1 }, { a: 1 }],
    ])('matches %s and nothing else', (_, pattern, match, other) => {
      expect(matches(pattern, match)).toBe(true);
      expect(matches(pattern, other)).toBe(false);
    });

    it.each([
      ['an operator that is not known', { a: [{ cidr: '10.0.0.0/8' }] }],
      ['an operator with a wrong operand', { a: [{ prefix: { 'equals-ignore-case': 'x' } }] }],
      ['a bare value', { a: 'x' }],
    ])('is refused with %s', (_, pattern) => {
      expect(() => compilePattern(pattern, 'Rule')).toThrow(/^Rule: /);
    });
  });
});
