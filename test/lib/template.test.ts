import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { queueVariables, settingVariables, tableVariables } from '../../functions/contract/environment.ts';
import { patientRoutes } from '../../functions/contract/patient-routes.ts';
import { practiceRoutes } from '../../functions/contract/practice-routes.ts';
import { assetPath, isolateAssets } from '../../lib/local/assets.ts';
import type { StageName } from '../../lib/stage.ts';
import { synthesize } from '../../lib/synthesize.ts';

interface Resource {
  readonly id: string;
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
}

const root = resolve(import.meta.dirname, '../..');
const directory = await mkdtemp(join(tmpdir(), 'payment-template-'));
afterAll(() => rm(directory, { recursive: true, force: true }));

/** The variables that a bundle reads when it is loaded, where only `given` has values. */
function variablesReadBy(bundle: string, given: Readonly<Record<string, unknown>>): string[] {
  const known: string[] = [tableVariables, queueVariables, settingVariables].flatMap((each) => Object.values(each));
  const read = new Set<string>();
  const environment = process.env;
  // A reference in the template becomes a URL, which every parser accepts.
  const valueOf = (name: string) => (typeof given[name] === 'object' ? 'https://example.com' : given[name]);
  process.env = new Proxy(environment, {
    get(_, name) {
      if (typeof name !== 'string' || !known.includes(name)) return Reflect.get(environment, name);
      read.add(name);
      return valueOf(name);
    },
  });
  try {
    createRequire(bundle)(bundle);
  } finally {
    process.env = environment;
  }
  return [...read];
}

async function synthesized(stage: StageName) {
  const { template, assetDirectory } = await synthesize({ stage, outdir: join(directory, stage) });
  isolateAssets(assetDirectory);
  const { Resources } = template as { Resources: Record<string, Omit<Resource, 'id'>> };
  return { assetDirectory, resources: Object.entries(Resources).map(([id, resource]) => ({ ...resource, id })) };
}

const stages = [
  { stage: 'sandbox', ...(await synthesized('sandbox')) },
  { stage: 'production', ...(await synthesized('production')) },
] as const;

describe.each(stages)('the $stage stack', ({ stage, resources, assetDirectory }) => {
  const all = (type: string) => resources.filter(({ Type }) => Type === type);
  const lambdas = all('AWS::Lambda::Function');
  /** Without CDK's own, which copies the page into its bucket. */
  const functions = lambdas.filter(({ Properties }) => Properties['Runtime'] !== 'python3.13');
  const policies = all('AWS::IAM::Policy');

  const target = (value: unknown): string => {
    const { Ref, 'Fn::GetAtt': attribute } = value as { Ref?: string; 'Fn::GetAtt'?: [string, string] };
    return Ref ?? attribute?.[0] ?? JSON.stringify(value);
  };
  const at = (value: unknown, ...path: string[]): unknown =>
    path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
  const named = (found: readonly Resource[], prefix: string) => found.find(({ id }) => id.startsWith(prefix))!;

  const roleOf = (resource: Resource) => target(resource.Properties['Role']);
  const statementsOf = (role: string): Statement[] =>
    policies
      .filter(({ Properties }) => (Properties['Roles'] as unknown[]).some((each) => target(each) === role))
      .flatMap(({ Properties }) => at(Properties, 'PolicyDocument', 'Statement') as Statement[]);
  const actionsOf = ({ Action }: Statement) => [Action].flat();
  const allowed = (action: string, resource: string) =>
    functions.filter((each) =>
      statementsOf(roleOf(each)).some(
        (statement) =>
          actionsOf(statement).includes(action) && JSON.stringify(statement.Resource).includes(`"${resource}"`),
      ),
    );

  const isDeadLetters = (queue: string) =>
    Number(resources.find(({ id }) => id === queue)?.Properties['MessageRetentionPeriod']) === 14 * 24 * 3600;

  const entries = globSync('functions/{practice-api,patient-api,triggers}/*.ts', { cwd: root });
  const bundleOf = ({ Properties }: Resource) =>
    join(assetPath(assetDirectory, at(Properties, 'Code', 'S3Key') as string), 'index.js');

  test('has one function per entry', () => {
    expect(functions).toHaveLength(entries.length);
  });

  test('every function has exactly the variables that its bundle reads', () => {
    for (const each of functions) {
      const given = at(each.Properties, 'Environment', 'Variables') as Record<string, unknown>;
      // The log reads its namespace later, when it writes.
      const expected = [...variablesReadBy(bundleOf(each), given), settingVariables.metricsNamespace];
      expect(Object.keys(given).sort(), each.id).toEqual(expected.sort());
    }
  });

  test('every bundle has only the processor of its stage', () => {
    const bundles = functions.map((each) => readFileSync(bundleOf(each), 'utf8'));
    const holding = (text: string) => bundles.filter((bundle) => bundle.includes(text)).length;
    expect(holding('user_insufficient_funds') > 0).toBe(stage === 'sandbox');
    expect(holding('Sandbox Bank') > 0).toBe(stage === 'sandbox');
  });

  test('only a sandbox has a sandbox bank', () => {
    const mentions = JSON.stringify(resources.map(({ id, Properties }) => [id, Properties])).match(/sandbox/gi) ?? [];
    expect(mentions.length > 0).toBe(stage === 'sandbox');
  });

  test('every function runs on Node 24 and arm64', () => {
    for (const { id, Properties } of functions) {
      expect(Properties, id).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    }
  });

  test('every function writes JSON to its own log group, which is kept for a month', () => {
    const groups = lambdas.map(({ Properties }) => target(at(Properties, 'LoggingConfig', 'LogGroup')));
    expect(new Set(groups).size).toBe(lambdas.length);
    for (const { Properties } of functions) expect(at(Properties, 'LoggingConfig', 'LogFormat')).toBe('JSON');
    const logGroups = all('AWS::Logs::LogGroup');
    expect(logGroups.map(({ id }) => id)).toEqual(expect.arrayContaining(groups));
    for (const { id, Properties } of logGroups) expect(Properties['RetentionInDays'], id).toBe(30);
  });

  test('every function has its own role, without managed policies', () => {
    const roles = functions.map(roleOf);
    expect(new Set(roles).size).toBe(functions.length);
    for (const { id, Properties } of all('AWS::IAM::Role').filter(({ id }) => roles.includes(id))) {
      expect(Properties['ManagedPolicyArns'], id).toBeUndefined();
    }
  });

  test('no policy of a function has a wildcard', () => {
    for (const each of functions) {
      const statements = statementsOf(roleOf(each)).filter(({ Effect }) => Effect === 'Allow');
      expect(statements.length, each.id).toBeGreaterThan(0);
      for (const statement of statements)
        expect(JSON.stringify([statement.Action, statement.Resource]), each.id).not.toContain('*');
    }
  });

  test('every event source has a dead-letter queue', () => {
    const mappings = all('AWS::Lambda::EventSourceMapping');
    expect(mappings).toHaveLength(4);
    for (const { id, Properties } of mappings) {
      expect(Properties['FunctionResponseTypes'], id).toEqual(['ReportBatchItemFailures']);
      const source = resources.find((each) => each.id === target(Properties['EventSourceArn']))!;
      const kept =
        source.Type === 'AWS::SQS::Queue'
          ? at(source.Properties, 'RedrivePolicy', 'deadLetterTargetArn')
          : at(Properties, 'DestinationConfig', 'OnFailure', 'Destination');
      expect(isDeadLetters(target(kept)), id).toBe(true);
    }
  });

  // https://github.com/hookdeck/outpost/issues/663 and /issues/997: a retry that faulted came back every 30 s forever.
  test('every queue has its own dead-letter queue, for tickets that faulted five times', () => {
    const queues = all('AWS::SQS::Queue').filter(({ Properties }) => Properties['RedrivePolicy'] !== undefined);
    expect(queues).toHaveLength(3);
    const ends = queues.map(({ id, Properties }) => {
      expect(at(Properties, 'RedrivePolicy', 'maxReceiveCount'), id).toBe(5);
      return target(at(Properties, 'RedrivePolicy', 'deadLetterTargetArn'));
    });
    for (const end of ends) expect(isDeadLetters(end), end).toBe(true);
    expect(new Set(ends).size).toBe(3);
  });

  // By default a bad record blocks its shard for a day:
  // https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
  test('the outbox stream is read from its start, new rows only, and no row blocks it for more than an hour', () => {
    const streams = all('AWS::Lambda::EventSourceMapping').filter(
      ({ Properties }) => Properties['StartingPosition'] !== undefined,
    );
    expect(streams).toHaveLength(1);
    const { Properties } = streams[0]!;
    expect(target(Properties['FunctionName'])).toBe(named(functions, 'EventsPublishEvents').id);
    expect(Properties).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: 20,
      MaximumRecordAgeInSeconds: 3600,
    });
    // Updates, deletions and tests are not published. A row without a type is read, and parked.
    const patterns = (at(Properties, 'FilterCriteria', 'Filters') as { Pattern: string }[]).map(
      ({ Pattern }) => JSON.parse(Pattern) as unknown,
    );
    expect(patterns).toEqual([
      {
        eventName: ['INSERT'],
        dynamodb: { NewImage: { type: { S: [{ 'anything-but': ['webhook.test'] }, { exists: false }] } } },
      },
    ]);
    const table = resources.find(({ id }) => id === target(Properties['EventSourceArn']))!;
    expect(at(table.Properties, 'StreamSpecification')).toEqual({ StreamViewType: 'NEW_IMAGE' });
  });

  test('every function that EventBridge invokes has a dead-letter queue', () => {
    const invoked = all('AWS::Events::Rule')
      .flatMap(({ Properties }) => (Properties['Targets'] as { Arn: unknown }[]).map(({ Arn }) => target(Arn)))
      .filter((id) => functions.some((each) => each.id === id));
    expect(invoked).toHaveLength(2);
    const configs = all('AWS::Lambda::EventInvokeConfig');
    for (const id of invoked) {
      const config = configs.find(({ Properties }) => target(Properties['FunctionName']) === id);
      expect(isDeadLetters(target(at(config?.Properties, 'DestinationConfig', 'OnFailure', 'Destination'))), id).toBe(
        true,
      );
    }
  });

  test('every rule target has a dead-letter queue that only its rule may send to', () => {
    const rules = all('AWS::Events::Rule');
    expect(rules).toHaveLength(3);
    for (const rule of rules) {
      for (const { DeadLetterConfig } of rule.Properties['Targets'] as { DeadLetterConfig: { Arn: unknown } }[]) {
        const queue = target(DeadLetterConfig.Arn);
        expect(isDeadLetters(queue), rule.id).toBe(true);
        const policy = all('AWS::SQS::QueuePolicy').find(({ Properties }) =>
          (Properties['Queues'] as unknown[]).some((each) => target(each) === queue),
        )!;
        const fromRule = (at(policy.Properties, 'PolicyDocument', 'Statement') as Statement[]).filter(
          ({ Effect }) => Effect === 'Allow',
        );
        expect(fromRule, rule.id).toEqual([
          expect.objectContaining({
            Action: 'sqs:SendMessage',
            Condition: { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [rule.id, 'Arn'] } } },
          }),
        ]);
      }
    }
  });

  test("every queue hides a message for six times its consumer's time-out", () => {
    const consumed = all('AWS::Lambda::EventSourceMapping').filter(({ Properties }) =>
      all('AWS::SQS::Queue').some(({ id }) => id === target(Properties['EventSourceArn'])),
    );
    expect(consumed).toHaveLength(3);
    for (const { id, Properties } of consumed) {
      const queue = resources.find((each) => each.id === target(Properties['EventSourceArn']))!;
      const consumer = resources.find((each) => each.id === target(Properties['FunctionName']))!;
      expect(Number(queue.Properties['VisibilityTimeout']), id).toBeGreaterThanOrEqual(
        6 * Number(consumer.Properties['Timeout']),
      );
    }
  });

  test('every queue is encrypted and refuses plain HTTP', () => {
    for (const { id, Properties } of all('AWS::SQS::Queue')) {
      expect(Properties['SqsManagedSseEnabled'], id).toBe(true);
      const policy = all('AWS::SQS::QueuePolicy').find((each) =>
        (each.Properties['Queues'] as unknown[]).some((queue) => target(queue) === id),
      )!;
      expect(at(policy.Properties, 'PolicyDocument', 'Statement'), id).toContainEqual(
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      );
    }
  });

  test("every table outlives the stack, has backups and deletion protection, and uses the account's own key", () => {
    const tables = all('AWS::DynamoDB::GlobalTable');
    expect(tables.length).toBeGreaterThan(9);
    const [key, ...otherKeys] = all('AWS::KMS::Key');
    expect(otherKeys).toEqual([]);
    expect(key).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { EnableKeyRotation: true },
    });
    for (const table of tables) {
      expect(table).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
      expect(table.Properties['Replicas'], table.id).toEqual([
        expect.objectContaining({
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          SSESpecification: { KMSMasterKeyId: { 'Fn::GetAtt': [key?.id, 'Arn'] } },
        }),
      ]);
    }
  });

  test('the logical ids of the tables are unchanged: another id would be a new, empty table', () => {
    expect(
      all('AWS::DynamoDB::GlobalTable')
        .map(({ id }) => id)
        .sort(),
    ).toEqual([
      'DataApiKeys9F300A5F',
      'DataAttempts5B9C7157',
      'DataAuthorizations5D074C0E',
      'DataDeliveries440B443D',
      'DataEventsB3DAF25C',
      'DataIdempotencyKeysC97C98AF',
      'DataInvoiceClaims4F9AFF44',
      'DataPractices4C96C673',
      ...(stage === 'sandbox' ? ['DataSandboxDebitsF8223D4B'] : []),
      'DataSessionsF705E00F',
      'DataWebhookEndpointsDF6FC6B3',
    ]);
  });

  test('evidence is written by one function, and never changed or deleted', () => {
    const { id } = named(all('AWS::DynamoDB::GlobalTable'), 'DataAuthorizations');
    expect(allowed('dynamodb:PutItem', id).map((each) => each.id)).toEqual([
      named(functions, 'PatientApiAuthorizePayment').id,
    ]);
    const touching = lambdas.flatMap((each) =>
      statementsOf(roleOf(each))
        .filter(({ Resource }) => JSON.stringify(Resource).includes(`"${id}"`))
        .flatMap(actionsOf),
    );
    expect(touching).toEqual(['dynamodb:PutItem']);
  });

  test('only the practice API creates a session', () => {
    const { id } = named(all('AWS::DynamoDB::GlobalTable'), 'DataSessions');
    expect(allowed('dynamodb:PutItem', id).map((each) => each.id)).toEqual([
      named(functions, 'PracticeApiCreateSession').id,
    ]);
  });

  test('account-wide names include the region, so a stage can be deployed to two', () => {
    const [policy, control] = [
      all('AWS::CloudFront::ResponseHeadersPolicy'),
      all('AWS::CloudFront::OriginAccessControl'),
    ];
    for (const { Properties } of [...policy, ...control]) {
      expect(
        at(Properties, 'ResponseHeadersPolicyConfig', 'Name') ?? at(Properties, 'OriginAccessControlConfig', 'Name'),
      ).toContain('us-east-1');
    }
    expect(policy.length + control.length).toBe(2);
  });

  test('every route of the contract has its own function, as has the default route', () => {
    const routes = all('AWS::ApiGatewayV2::Route');
    const contract = [...Object.values(practiceRoutes), ...Object.values(patientRoutes)].map(
      ({ method, path }) => `${method} ${path}`,
    );
    expect(routes.map(({ Properties }) => Properties['RouteKey']).sort()).toEqual([...contract, '$default'].sort());
    const handlers = routes.map(({ Properties }) => {
      const integration = named(
        resources,
        (at(Properties, 'Target', 'Fn::Join') as [string, [string, { Ref: string }]])[1][1].Ref,
      );
      return target(integration.Properties['IntegrationUri']);
    });
    expect(new Set(handlers).size).toBe(routes.length);
  });

  test('the API does not log paths, queries or addresses', () => {
    const format = at(named(resources, 'ApiStage').Properties, 'AccessLogSettings', 'Format');
    const variables = String(format).match(/\$context[\w.]+/g);
    expect(variables?.sort()).toEqual([
      '$context.integrationLatency',
      '$context.requestId',
      '$context.requestTime',
      '$context.responseLatency',
      '$context.routeKey',
      '$context.status',
    ]);
  });

  test('the distribution does not log paths, queries, referrers, cookies or addresses', () => {
    const fields = named(resources, 'HostedPageAccessLogDelivery').Properties['RecordFields'] as string[];
    expect(fields.length).toBeGreaterThan(0);
    for (const secret of ['cs-uri-stem', 'cs-uri-query', 'cs(Referer)', 'cs(Cookie)', 'c-ip', 'x-forwarded-for'])
      expect(fields).not.toContain(secret);
  });

  test('every response of the distribution has the strict security headers', () => {
    const [distribution] = all('AWS::CloudFront::Distribution');
    const config = at(distribution?.Properties, 'DistributionConfig') as {
      DefaultCacheBehavior: object;
      CacheBehaviors: object[];
      CustomErrorResponses?: unknown;
    };
    for (const behavior of [config.DefaultCacheBehavior, ...config.CacheBehaviors]) {
      expect(behavior).toMatchObject({
        ResponseHeadersPolicyId: { Ref: named(resources, 'HostedPageSecurityHeaders').id },
        ViewerProtocolPolicy: 'redirect-to-https',
      });
    }
    expect(config.CustomErrorResponses).toBeUndefined();
    const headers = at(
      named(resources, 'HostedPageSecurityHeaders').Properties,
      'ResponseHeadersPolicyConfig',
    ) as object;
    const policy = String(at(headers, 'SecurityHeadersConfig', 'ContentSecurityPolicy', 'ContentSecurityPolicy'));
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers).toMatchObject({
      SecurityHeadersConfig: {
        StrictTransportSecurity: { AccessControlMaxAgeSec: 63_072_000, IncludeSubdomains: true },
        ReferrerPolicy: { ReferrerPolicy: 'no-referrer' },
        FrameOptions: { FrameOption: 'DENY' },
        ContentTypeOptions: { Override: true },
      },
      CustomHeadersConfig: {
        Items: expect.arrayContaining([
          expect.objectContaining({ Header: 'X-Robots-Tag', Value: 'noindex, nofollow' }),
        ]),
      },
    });
  });

  test("the page's bucket is private", () => {
    const [bucket, ...others] = all('AWS::S3::Bucket');
    expect(others).toEqual([]);
    expect(at(bucket?.Properties, 'PublicAccessBlockConfiguration')).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
  });

  test('no function sends webhooks to loopback addresses', () => {
    const { Properties } = named(functions, 'WebhooksSendWebhook');
    expect(at(Properties, 'Environment', 'Variables')).toMatchObject({ ALLOW_LOOPBACK_WEBHOOKS: 'false' });
  });
});

test('only the functions that submit and cancel write debits of the sandbox bank', () => {
  const resources = stages[0].resources;
  const { id } = resources.find((each) => each.id.startsWith('DataSandboxDebits'))!;
  const writing = resources
    .filter(({ Type, Properties }) => {
      const statements = JSON.stringify(Properties?.['PolicyDocument'] ?? {}).split('{"Action"');
      return (
        Type === 'AWS::IAM::Policy' &&
        statements.some((each) => each.includes('"dynamodb:PutItem"') && each.includes(`"${id}"`))
      );
    })
    .map((policy) => policy.id.replace(/Role.*/, ''));
  expect(writing.sort()).toEqual(['DebitsSubmitDebit', 'PracticeApiCancelSession']);
});
