import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { apps, type AppName } from '../support/apps.ts';
import { appFolder } from '../support/built.ts';
import { at, named, stages, target, type Resource } from './stacks.ts';

type Template = Record<'stack' | 'gradualDeploys' | 'backups', Resource[]>;

async function templateOf(name: AppName): Promise<Template> {
  const folder = await appFolder(name);
  const files = await readdir(folder);
  const read = async (name: string): Promise<Resource[]> => {
    const file = files.find((each) =>
      new RegExp(`^PatientInvoicePaymentProduction${name}\\.template\\.json$`).test(each),
    );
    if (file === undefined) return [];
    const { Resources } = JSON.parse(await readFile(join(folder, file), 'utf8')) as {
      Resources: Record<string, Omit<Resource, 'id'>>;
    };
    return Object.entries(Resources).map(([id, resource]) => ({ ...resource, id }));
  };
  return {
    stack: await read(''),
    gradualDeploys: await read('GradualDeploys\\w+\\.nested'),
    backups: await read('Backups\\w+\\.nested'),
  };
}

const { stack, gradualDeploys, backups } = await templateOf('app-production');
const { stack: plain } = await templateOf('app-without-options');
const resources = [...stack, ...gradualDeploys, ...backups];
const all = (type: string) => resources.filter(({ Type }) => Type === type);
/** The logical ID in the main stack that a nested stack's parameter stands for, without its hash. */
const given = (value: unknown) =>
  /Production([A-Za-z]+?)[0-9A-F]{8}[A-Za-z]*$/.exec(target(value))?.[1] ?? target(value);

test("with every setting, the stack stays below CloudFormation's limit of 500 resources", () => {
  expect(stack.length).toBeLessThanOrEqual(480);
});

test('gradual deploys take seven resources of the stack, backups and the budget one each', () => {
  expect(stack.length - plain.length).toBe(9);
});

const optionalTypes = ['CloudFormation::', 'CodeDeploy::', 'Lambda::Alias', 'Lambda::Version', 'Backup::', 'Budgets::'];

test.each(stages)('without these settings, the $stage stack has nothing for them', ({ resources: ofStage }) => {
  const isOptional = ({ Type }: Resource) => optionalTypes.some((type) => Type.startsWith(`AWS::${type}`));
  expect(ofStage.filter(isOptional)).toEqual([]);
  expect(new Set(resources.filter(isOptional).map(({ Type }) => Type)).size).toBe(9);
});

describe('a gradual deploy', () => {
  const aliases = all('AWS::Lambda::Alias');
  const shifted = aliases.map(({ Properties }) => given(Properties['FunctionName']));
  const called = ({ Properties }: Resource) => Properties['FunctionName'] ?? Properties['IntegrationUri'];
  const triggers = [...all('AWS::Lambda::EventSourceMapping'), ...all('AWS::ApiGatewayV2::Integration')];
  const isShifted = (trigger: Resource) =>
    shifted.some((name) => new RegExp(`"${name}[0-9A-F]{8}"`).test(JSON.stringify(called(trigger))));

  test('covers the six functions that move money or report it, and all of their triggers call the alias', () => {
    expect([...shifted].sort()).toEqual([
      'DebitsSettlePayment',
      'DebitsSubmitDebit',
      'PatientApiAuthorizePayment',
      'PracticeApiCancelSession',
      'PracticeApiCreateSession',
      'WebhooksSendWebhook',
    ]);
    const nested = named(all('AWS::CloudFormation::Stack'), 'GradualDeploys').id;
    for (const trigger of triggers) {
      expect(JSON.stringify(called(trigger)).includes(':live'), trigger.id).toBe(isShifted(trigger));
      // Until then, there is no alias.
      if (isShifted(trigger)) expect(trigger.DependsOn).toContain(nested);
    }
    expect(triggers.filter(isShifted)).toHaveLength(shifted.length);
  });

  test('leaves the API allowed to call function and alias, so that turning it on or off refuses no call', () => {
    const allowedIn = (template: Resource[]) => {
      const policies = template.filter(({ Type }) => Type === 'AWS::IAM::Policy');
      const [statement] = at(named(policies, 'GatewayPolicy').Properties, 'PolicyDocument', 'Statement') as {
        Resource: unknown[];
      }[];
      return statement?.Resource.map((each) => JSON.stringify(each)) ?? [];
    };
    const allowed = allowedIn(stack);
    expect(allowedIn(plain)).toEqual(allowed);
    for (const trigger of triggers.filter(isShifted).filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Integration')) {
      expect(allowed).toContain(JSON.stringify(called(trigger)));
      const [, [arn]] = at(called(trigger), 'Fn::Join') as [string, [unknown, string]];
      expect(allowed).toContain(JSON.stringify(arn));
    }
  });

  test('moves an alias from the old version to the new one through CodeDeploy, and keeps old versions, but none of a failed deploy', () => {
    const versions = all('AWS::Lambda::Version');
    expect(versions).toHaveLength(aliases.length);
    for (const version of versions)
      expect(version).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
    for (const alias of aliases) {
      expect(alias.Properties['Name']).toBe('live');
      const group = at(alias, 'UpdatePolicy', 'CodeDeployLambdaAliasUpdate', 'DeploymentGroupName');
      expect(resources.find(({ id }) => id === target(group))?.Properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent15Minutes',
        DeploymentStyle: { DeploymentOption: 'WITH_TRAFFIC_CONTROL' },
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: expect.arrayContaining(['DEPLOYMENT_STOP_ON_ALARM']) as unknown,
        },
        AlarmConfiguration: { Enabled: true },
      });
    }
  });

  test.each([
    ['CreateSession', ['CreateSessionFaults', 'AlarmsServerErrors']],
    ['AuthorizePayment', ['AuthorizePaymentFaults', 'AlarmsServerErrors']],
    ['CancelSession', ['CancelSessionFaults', 'AlarmsServerErrors']],
    ['SubmitDebit', ['SubmitDebitFaults', 'AlarmsRejectedProcessorCalls']],
    ['SettlePayment', ['SettlePaymentFaults', 'AlarmsIllegalTransitions']],
    ['SendWebhook', ['SendWebhookFaults']],
  ])('of %s is rolled back by %j', (name, expected) => {
    const group = named(all('AWS::CodeDeploy::DeploymentGroup'), `${name}Group`);
    const alarms = at(group.Properties, 'AlarmConfiguration', 'Alarms') as { Name: unknown }[];
    expect(alarms.map(({ Name }) => given(Name).replace(/[0-9A-F]{8}$/, ''))).toEqual(expected);
  });

  test("of a function that the API calls is rolled back by the new version's first crash and by errors that it logs, of one with a queue by tickets that stay in it", () => {
    const read = (name: string) =>
      (
        named(all('AWS::CloudWatch::Alarm'), `${name}Faults`).Properties['Metrics'] as {
          MetricStat?: { Metric: { MetricName: string; Dimensions: { Name: string; Value: unknown }[] } };
        }[]
      ).flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric] : []));
    const [crashes, logged, ...others] = read('CreateSession');
    expect(others).toEqual([]);
    expect([crashes?.MetricName, logged?.MetricName]).toEqual(['Errors', 'LoggedErrors']);
    const version = crashes?.Dimensions.find(({ Name }) => Name === 'ExecutedVersion')?.Value;
    expect(given(version)).toBe('PracticeApiCreateSessionCurrentVersion');
    expect(logged?.Dimensions.map(({ Name, Value }) => [Name, given(Value)])).toEqual([
      ['FunctionName', 'PracticeApiCreateSession'],
    ]);
    const watched = read('SubmitDebit');
    expect(watched.map(({ MetricName }) => MetricName)).toEqual([
      'NumberOfMessagesReceived',
      'NumberOfMessagesDeleted',
    ]);
    for (const { Dimensions } of watched) expect(JSON.stringify(Dimensions)).toContain('DebitsSubmissions');
  });

  test('can be made at once with every alarm ignored, because a fix must get in while one is on', async () => {
    const hurried = await templateOf('app-of-others');
    const groups = hurried.gradualDeploys.filter(({ Type }) => Type === 'AWS::CodeDeploy::DeploymentGroup');
    expect(groups).toHaveLength(aliases.length);
    for (const { Properties } of groups)
      expect(Properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaAllAtOnce',
        AlarmConfiguration: { Enabled: false },
      });
  });
});

/** CloudFormation has no tags for these. */
const untagged = [
  'AWS::ApiGatewayV2::ApiMapping',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::Backup::BackupSelection',
  'AWS::CloudFront::OriginAccessControl',
  'AWS::CloudFront::ResponseHeadersPolicy',
  'AWS::Cognito::ManagedLoginBranding',
  'AWS::Cognito::UserPoolClient',
  'AWS::Cognito::UserPoolDomain',
  'AWS::IAM::Policy',
  'AWS::Lambda::Alias',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::LayerVersion',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Version',
  'AWS::Logs::MetricFilter',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::Subscription',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'Custom::CDKBucketDeployment',
];

/** Every list or record of tags in a value, at any depth. */
function tagsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(tagsIn);
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (!key.endsWith('Tags')) return tagsIn(inner);
    return [Array.isArray(inner) ? Object.fromEntries(inner.map(({ Key, Value }) => [Key, Value])) : inner];
  });
}

test('everything that can have tags says its product, its stage and which part of the bill it is', () => {
  const found = resources.map(({ id, Type, Properties }) => ({ id, Type, tags: tagsIn(Properties) }));
  const without = new Set(found.filter(({ tags }) => tags.length === 0).map(({ Type }) => Type));
  expect([...without].sort()).toEqual(untagged);
  for (const { id, tags } of found)
    for (const each of tags)
      expect(each, id).toMatchObject({
        product: 'patient-invoice-payment',
        stage: 'production',
        cost: expect.stringMatching(/^\w+$/) as unknown,
      });
});

test('the budget covers the account, and sends an email at 80% and 100% of it, and when the month is forecast to exceed it', () => {
  const [budget, ...others] = all('AWS::Budgets::Budget');
  expect(others).toEqual([]);
  expect(budget?.Properties['Budget']).toEqual({
    BudgetLimit: { Amount: 500, Unit: 'USD' },
    BudgetType: 'COST',
    TimeUnit: 'MONTHLY',
  });
  const notices = budget?.Properties['NotificationsWithSubscribers'] as {
    Notification: object;
    Subscribers: unknown;
  }[];
  expect(notices.map(({ Notification }) => Notification)).toMatchObject([
    { NotificationType: 'ACTUAL', Threshold: 80 },
    { NotificationType: 'ACTUAL', Threshold: 100 },
    { NotificationType: 'FORECASTED', Threshold: 100 },
  ]);
  for (const { Subscribers } of notices)
    expect(Subscribers).toEqual([{ Address: 'oncall@example.com', SubscriptionType: 'EMAIL' }]);
});

describe('a daily backup', () => {
  test('holds every table and the evidence', () => {
    const [selection] = all('AWS::Backup::BackupSelection');
    const selected = at(selection?.Properties, 'BackupSelection', 'Resources') as unknown[];
    const evidence = named(all('AWS::S3::Bucket'), 'EvidenceArchive');
    expect(selected.map(given).sort()).toEqual(
      [...all('AWS::DynamoDB::GlobalTable'), evidence].map(({ id }) => id.replace(/[0-9A-F]{8}$/, '')).sort(),
    );
  });

  test('is copied to the given vault, whose account alone may read it with a key that is not the tables’', () => {
    const [plan] = all('AWS::Backup::BackupPlan');
    const [rule, ...others] = at(plan?.Properties, 'BackupPlan', 'BackupPlanRule') as Record<string, unknown>[];
    expect(others).toEqual([]);
    expect(rule).toMatchObject({
      Lifecycle: { DeleteAfterDays: 35 },
      CopyActions: [
        { DestinationBackupVaultArn: apps['app-production'].backupVault, Lifecycle: { DeleteAfterDays: 35 } },
      ],
    });
    const [vault] = all('AWS::Backup::BackupVault');
    expect(vault).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate' });
    // It stays when the setting is dropped, so the next vault needs a different name.
    expect(JSON.stringify(vault?.Properties['BackupVaultName'])).toContain('AWS::StackId');
    const key = named(all('AWS::KMS::Key'), target(vault?.Properties['EncryptionKeyArn']));
    expect(JSON.stringify(key.Properties['KeyPolicy'])).toContain('arn:aws:iam::210987654321:root');
    const tablesKey = named(all('AWS::KMS::Key'), 'DataKey');
    expect(JSON.stringify(tablesKey.Properties)).not.toContain('210987654321');
  });
});
