import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../../lib/build/build.ts';
import { appFolder } from '../../support/built.ts';
import { stackNames } from '../../../lib/settings/stage.ts';
import { stages } from '../stacks.ts';
interface Statement {
  readonly Sid: string;
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: string | string[];
  readonly Condition?: unknown;
}

async function policy(name: string): Promise<{ size: number; statements: Statement[] }> {
  const text = await readFile(join(root, `lib/deploy/policies/${name}.json`), 'utf8');
  const { Statement } = JSON.parse(text) as { Statement: Statement[] };
  return { size: text.replaceAll(/\s/g, '').length, statements: Statement };
}

const policies = await Promise.all(
  ['cloudformation-data', 'cloudformation-code', 'cloudformation-options'].map(policy),
);
const statements = policies.flatMap((each) => each.statements);

const allowing = (action: string) =>
  statements.filter(({ Action }) =>
    [Action].flat().some((pattern) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 'i').test(action)),
  );

/**
 * What CloudFormation calls, by type, from the `handlers` of AWS's resource schemas, without features that no template
 * uses.
 */
const needed = JSON.parse(await readFile(join(import.meta.dirname, 'needed-actions.json'), 'utf8')) as Readonly<
  Record<string, string>
>;

/** What the production stack and its nested stacks have with every setting. */
const folder = await appFolder('app-production');
const templates = (await readdir(folder)).filter((name) => name.endsWith('.template.json'));
const ofSettings: { readonly id: string; readonly Type: string; readonly Properties?: unknown }[] = [];
for (const name of templates) {
  const { Resources } = JSON.parse(await readFile(join(folder, name), 'utf8')) as {
    Resources: Record<string, Omit<(typeof ofSettings)[number], 'id'>>;
  };
  ofSettings.push(...Object.entries(Resources).map(([id, resource]) => ({ id, ...resource })));
}

describe("the policies for CloudFormation's role", () => {
  test('allow all that CloudFormation calls for both stacks with every setting', () => {
    const types = new Set([...stages.flatMap(({ resources }) => resources), ...ofSettings].map(({ Type }) => Type));
    // Its function is invoked, as the statement CopyOfThePages allows.
    types.delete('Custom::CDKBucketDeployment');
    expect([...types].filter((type) => needed[type] === undefined)).toEqual([]);
    const missing = Object.entries(needed).flatMap(([type, actions]) =>
      actions.split(' ').flatMap((action) => (allowing(action).length > 0 ? [] : [`${type}: ${action}`])),
    );
    expect(missing).toEqual([]);
  });

  const passed = allowing('iam:PassRole').flatMap(({ Resource, Condition }) => {
    const { StringEquals } = Condition as { StringEquals: { 'iam:PassedToService': string | string[] } };
    return [StringEquals['iam:PassedToService']].flat().map((service) => [service, Resource]);
  });

  test('let it give a role to each service that a role of the stack trusts, and its own to nested stacks', () => {
    const roles = ofSettings.filter(({ Type }) => Type === 'AWS::IAM::Role');
    const trusted = new Set(JSON.stringify(roles).match(/(?<="Service":")[^"]+/g));
    const expected = [...trusted].map((service) => [service, 'arn:aws:iam::*:role/PatientInvoicePayment*']);
    const own = ['cloudformation.amazonaws.com', 'arn:aws:iam::*:role/cdk-*-cfn-exec-role-*'];
    expect(passed.sort()).toEqual([...expected, own].sort());
  });

  // CloudFormation adds 12 or 13 random characters to a name. CodeDeploy accepts 100, and cuts the start off longer ones.
  test("identify what is in nested stacks by its name, which is short enough to begin with the stack's", () => {
    const idsOf = (type: string) => ofSettings.flatMap(({ Type, id }) => (Type.startsWith(type) ? [id] : []));
    for (const nested of idsOf('AWS::CloudFormation::Stack'))
      for (const id of idsOf('AWS::CodeDeploy::'))
        expect(`${stackNames.production}-${nested}-0123456789012-${id}-0123456789012`.length, id).toBeLessThan(101);
  });

  test.each([
    'dynamodb:GetItem',
    'dynamodb:Query',
    'dynamodb:PutItem',
    'dynamodb:ExportTableToPointInTime',
    's3:PutObject',
    'sqs:ReceiveMessage',
    'sqs:SendMessage',
    'sns:Publish',
    'events:PutEvents',
    'logs:GetLogEvents',
    'cognito-idp:AdminCreateUser',
    'iam:CreateUser',
    'iam:CreatePolicy',
    'iam:UpdateLoginProfile',
    'sts:AssumeRole',
    'ec2:RunInstances',
  ])('do not allow %s', (action) => {
    expect(allowing(action)).toEqual([]);
  });

  test.each(['iam:PassRole', 'iam:CreateServiceLinkedRole', 'kms:Decrypt', 'kms:CreateGrant'])(
    'allow %s only for named services',
    (action) => {
      const conditions = allowing(action).map(({ Condition }) => Condition);
      expect(conditions.length).toBeGreaterThan(0);
      for (const condition of conditions) expect(condition).toBeDefined();
    },
  );

  test.each([
    ['lambda:InvokeFunction', /-CustomCDK\*$/],
    ['s3:GetObject', /:cdk-\*-assets-\*$/],
    ['secretsmanager:GetSecretValue', /:secret:(OriginSecret|SignInClientSecret)\*$/],
    ['dynamodb:DeleteTable', /PatientInvoicePayment\*$/],
    ['iam:PutRolePolicy', /PatientInvoicePayment\*$/],
    ['s3:DeleteBucket', /:patientinvoicepayment\*$/],
  ])('allow %s only on what is named %s', (action, name) => {
    const resources = allowing(action).flatMap(({ Resource }) => Resource);
    expect(resources).not.toEqual([]);
    for (const resource of resources) expect(resource).toMatch(name);
  });

  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
  test('each fit into a managed policy', () => {
    for (const { size } of policies) expect(size).toBeLessThan(6144);
  });
});

test("the pipeline's own role may only take the bootstrap's roles, look at the stack, and delete the review's change set", async () => {
  const { statements: own } = await policy('pipeline');
  const actions = own.flatMap(({ Action }) => Action);
  const harmless =
    /^(sts:AssumeRole|cloudformation:(Describe|Detect|GetTemplate|ListStackResources|DeleteChangeSet).*)$/;
  expect(actions.filter((each) => !harmless.test(each))).toEqual([]);
  const [ofAll, ...others] = own.filter(({ Resource }) => Resource === '*');
  expect({ action: ofAll?.Action, others }).toEqual({
    action: 'cloudformation:DescribeStackDriftDetectionStatus',
    others: [],
  });
  for (const resource of own.flatMap(({ Resource }) => Resource).filter((each) => each !== '*'))
    expect(resource).toMatch(/:role\/cdk-\*-(deploy|file-publishing|lookup)-role-\*$|:stack\/PatientInvoicePayment\*$/);
});
