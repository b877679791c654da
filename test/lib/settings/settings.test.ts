import { describe, expect, test } from 'vitest';
import { App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { backupVaultOf } from '../../../lib/settings/backup-vault.ts';
import { issuerOf } from '../../../lib/constructs/sign-in.ts';
import { alarmEmailOf, mailFromOf } from '../../../lib/constructs/mail.ts';
import { monthlyBudgetOf } from '../../../lib/constructs/budget.ts';
import { operatorOf } from '../../../lib/settings/settings.ts';
import { originSecretNumberOf } from '../../../lib/constructs/origin-secret.ts';
import { apiDomain, dashboardDomain, ownDomainOf } from '../../../lib/settings/own-domain.ts';
import { isProtected, missingSettings, retainData, runbookOf } from '../../../lib/settings/settings.ts';
import { securityContactOf } from '../../../lib/constructs/pages.ts';
import { shiftOf } from '../../../lib/constructs/gradual-deploys.ts';
import { stageOf } from '../../../lib/settings/stage.ts';
import { webAclArnOf } from '../../../lib/constructs/web-acl.ts';
import { stripeOrigins, stripeSettingsOf } from '../../../lib/settings/stripe.ts';
import { Data } from '../../../lib/constructs/data.ts';
import { SignIn } from '../../../lib/constructs/sign-in.ts';

describe('the stage', () => {
  test('must exist', () => {
    expect(() => stageOf('staging')).toThrow('-c stage=sandbox or -c stage=production');
  });

  test.each(['sandbox', 'production'])('%s sends webhooks to loopback addresses only on this machine', (name) => {
    expect(stageOf(name, { local: true }).allowLoopbackWebhooks).toBe(true);
    expect(stageOf(name).allowLoopbackWebhooks).toBe(false);
  });
});

describe('a custom domain', () => {
  const name = 'pay.example.com';
  const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d';

  test('is optional', () => {
    expect(ownDomainOf(undefined, undefined)).toBeUndefined();
    expect(ownDomainOf(name, certificateArn)).toEqual({ name, certificateArn });
  });

  test.each([
    [name, undefined],
    [undefined, certificateArn],
    [`https://${name}`, certificateArn],
    [name, certificateArn.replace('us-east-1', 'eu-central-1')],
  ])('is rejected as %s with certificate %s', (domain, certificate) => {
    expect(() => ownDomainOf(domain, certificate)).toThrow(
      'needs both -c domain=pay.example.com and -c certificate=arn:aws:acm:us-east-1:…',
    );
  });
});

test("the dashboard's domain is checked under its own options", () => {
  expect(() => ownDomainOf('http://practice.example.com', undefined, dashboardDomain)).toThrow(
    'needs both -c dashboardDomain=practice.example.com and -c dashboardCertificate=arn:aws:acm:us-east-1:…',
  );
});

test("the API's domain has its certificate in the stack's region", () => {
  const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b2c3d';
  const name = 'api.example.com';
  expect(ownDomainOf(name, certificateArn, apiDomain('eu-central-1'))).toEqual({ name, certificateArn });
  expect(() => ownDomainOf(name, certificateArn, apiDomain('us-east-2'))).toThrow(
    'needs both -c apiDomain=api.example.com and -c apiCertificate=arn:aws:acm:us-east-2:…',
  );
});

test('a web ACL is a global one', () => {
  const arn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/pages/473e64fd-f30b-4765-81a0-62ad96dd167a';
  expect([undefined, arn].map(webAclArnOf)).toEqual([undefined, arn]);
  for (const wrong of ['', 'pages', arn.replace('global', 'regional'), arn.replace('us-east-1', 'eu-west-1')])
    expect(() => webAclArnOf(wrong), wrong).toThrow('-c webAcl must be the ARN of a global web ACL');
});

describe('an issuer of the team', () => {
  const url = 'https://login.example.com/tenant';

  test('is optional', () => {
    expect(issuerOf(undefined, undefined)).toBeUndefined();
    expect(issuerOf(url, 'dashboard')).toEqual({ url, clientId: 'dashboard' });
  });

  test.each([
    [url, undefined],
    [url, ''],
    [undefined, 'dashboard'],
    ['http://login.example.com', 'dashboard'],
    ['login.example.com', 'dashboard'],
    [`${url}?tenant=1`, 'dashboard'],
  ])('is rejected as %s with client %s', (issuer, clientId) => {
    expect(() => issuerOf(issuer, clientId)).toThrow('needs both -c oidcIssuer=https://');
  });
});

describe('the sender of emails', () => {
  test('is optional', () => {
    expect(mailFromOf(undefined)).toBeUndefined();
    expect(mailFromOf('payments@example.com')).toBe('payments@example.com');
  });

  test.each(['payments', 'payments@localhost', 'Payments <payments@example.com>', '*@example.com'])(
    'cannot be %s',
    (wrong) => {
      expect(() => mailFromOf(wrong)).toThrow('-c mailFrom must be an address');
    },
  );
});

test('alarms go to an address', () => {
  expect(alarmEmailOf(undefined)).toBeUndefined();
  expect(alarmEmailOf('oncall@example.com')).toBe('oncall@example.com');
  expect(() => alarmEmailOf('oncall')).toThrow('-c alarmEmail must be an address');
});

describe("Stripe's settings", () => {
  const secret = 'payments/stripe';
  const given = { secret, chargeType: undefined, apiBase: undefined, scriptUrl: undefined };

  test('are direct charges and its own hosts by default', () => {
    expect(stripeSettingsOf(given)).toEqual({
      secret,
      chargeType: 'direct',
      apiBase: 'https://api.stripe.com',
      scriptUrl: 'https://js.stripe.com/v3/',
      allowTestKeys: false,
    });
    expect(stripeSettingsOf({ ...given, chargeType: 'destination' })).toMatchObject({ chargeType: 'destination' });
    expect(stripeSettingsOf({ ...given, ...stripeOrigins })).toEqual(stripeSettingsOf(given));
  });

  test('take the name or the ARN of a secret', () => {
    const arn = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:payments/stripe-a1B2c3';
    expect(stripeSettingsOf({ ...given, secret: arn })).toMatchObject({ secret: arn });
    expect(stripeSettingsOf({ ...given, secret: undefined })).toBeUndefined();
    for (const wrong of ['', '*', 'sk_live_1 2', arn.slice(0, -7), arn.replace('secretsmanager', 'ssm')])
      expect(() => stripeSettingsOf({ ...given, secret: wrong }), wrong).toThrow('-c stripeSecret must be the name');
  });

  test.each(['http://127.0.0.1:4242', 'https://api.stripe.com.example.com', 'https://api.stripe.com/'])(
    'cannot send a deployed stack to %s',
    (origin) => {
      expect(() => stripeSettingsOf({ ...given, apiBase: origin })).toThrow('calls only https://api.stripe.com');
      expect(() => stripeSettingsOf({ ...given, scriptUrl: origin })).toThrow('loads only https://js.stripe.com/v3/');
    },
  );

  test('know two types of charges', () => {
    expect(() => stripeSettingsOf({ ...given, chargeType: 'separate' })).toThrow('-c chargeType must be');
  });
});

test('production says what it still needs, one line each, and a sandbox needs nothing', () => {
  const nothing = {
    securityContact: undefined,
    domain: undefined,
    alarmEmail: undefined,
    operator: {},
    stripe: undefined,
  };
  expect(missingSettings({ stage: stageOf('sandbox'), ...nothing })).toEqual([]);
  const stage = stageOf('production');
  const missing = missingSettings({ stage, ...nothing });
  expect(missing.map((line) => /-c (\w+)=/.exec(line)?.[1])).toEqual([
    'stripeSecret',
    'domain',
    'alarmEmail',
    'securityContact',
    'operatorName',
    'operatorEmail',
  ]);
  expect(missing.filter((line) => line.includes('\n'))).toEqual([]);
  const stripe = { secret: 'stripe', chargeType: 'direct', allowTestKeys: false, ...stripeOrigins } as const;
  const domain = { name: 'pay.example.com', certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a' };
  const securityContact = securityContactOf('mailto:security@example.com', Date.now());
  const alarmEmail = 'oncall@example.com';
  const operator = { name: 'Harbor Payments, Inc.', email: 'help@harbor.example' };
  expect(missingSettings({ stage, stripe, domain, alarmEmail, securityContact, operator })).toEqual([]);
});

describe('the security contact', () => {
  test('is published until a year after the deploy, to the day', () => {
    const expected = { contact: 'mailto:security@example.com', expires: '2027-11-21T00:00:00Z' };
    for (const time of ['T00:00:00Z', 'T23:59:59Z'])
      expect(securityContactOf(expected.contact, Date.parse(`2026-11-22${time}`))).toEqual(expected);
    expect(securityContactOf(undefined, Date.now())).toBeUndefined();
  });

  test.each(['security@example.com', 'mailto:', 'http://example.com/security', 'mailto:a@example.com\nContact: b'])(
    'cannot be %j',
    (wrong) => {
      expect(() => securityContactOf(wrong, Date.now())).toThrow('a mailto: or https: URL');
    },
  );
});

test('a stack is protected unless the setting says not to', () => {
  expect(isProtected(undefined)).toBe(true);
  expect(isProtected('true')).toBe(true);
  expect(isProtected('false')).toBe(false);
  expect(() => isProtected('no')).toThrow('-c protect must be true or false');
});

describe('the runbook', () => {
  const url = 'https://git.example.com/runbook.md';

  test('is where the team published it, or a path in the repository', () => {
    expect(runbookOf(url)).toBe(url);
    expect(runbookOf(undefined)).toBe('web/docs/runbook.md');
  });

  test.each(['web/docs/runbook.md', 'http://git.example.com/runbook.md', `${url}#alarms`])(
    'cannot be at %s',
    (wrong) => {
      expect(() => runbookOf(wrong)).toThrow('the https URL of the published runbook');
    },
  );
});

describe('who operates the page', () => {
  test('is optional', () => {
    expect(operatorOf({})).toEqual({});
    const address = '1 Harbor Road, Salem, MA 01970';
    const operator = { name: 'Harbor Payments, Inc.', email: 'help@harbor.example', address };
    expect(operatorOf(operator)).toEqual(operator);
  });

  test('is a name of one line, an email address and a postal address of one line', () => {
    for (const name of ['', ' ', 'Harbor\nPayments', 'H'.repeat(101)])
      expect(() => operatorOf({ name }), name).toThrow('-c operatorName must be');
    for (const email of ['', 'help', 'mailto:help@harbor.example', 'help@harbor.example?cc=a@b.example'])
      expect(() => operatorOf({ email }), email).toThrow('-c operatorEmail must be');
    for (const address of ['', ' ', '1 Harbor Road\nSalem', 'H'.repeat(201)])
      expect(() => operatorOf({ address }), address).toThrow('-c operatorAddress must be');
  });
});

test('the secret of the distributions is numbered from 1', () => {
  expect([undefined, '1', '12'].map(originSecretNumberOf)).toEqual([1, 1, 12]);
  for (const wrong of ['', '0', '-1', '1.5', 'next', '1234567'])
    expect(() => originSecretNumberOf(wrong), wrong).toThrow('-c originSecret must be a whole number');
});

describe('protection', () => {
  function templateOf(protect: boolean) {
    const stack = new Stack(new App({ builtinCloudFormationValidation: false }), 'Stack', {
      env: { region: 'us-east-1' },
    });
    new Data(stack, 'Data', { mode: 'sandbox', protect });
    new SignIn(stack, 'SignIn', { dashboardUrl: 'https://practice.example.com', issuer: undefined, protect });
    new LogGroup(stack, 'Log');
    new Bucket(stack, 'Page', { removalPolicy: RemovalPolicy.RETAIN });
    retainData(stack);
    return Template.fromStack(stack);
  }

  test.each([true, false])('tables and users are protected from deletion as the setting says: %s', (protect) => {
    const template = templateOf(protect);
    const tables = Object.values(template.findResources('AWS::DynamoDB::GlobalTable'));
    expect(tables.length).toBeGreaterThan(9);
    for (const table of tables)
      expect(table).toMatchObject({ Properties: { Replicas: [{ DeletionProtectionEnabled: protect }] } });
    template.hasResourceProperties('AWS::Cognito::UserPool', { DeletionProtection: protect ? 'ACTIVE' : 'INACTIVE' });
  });

  test('what outlives the stack is still rolled back with its own creation, except buckets, which may hold files', () => {
    const resources = Object.values(templateOf(true).toJSON()['Resources'] as Record<string, Retained>);
    const kept = resources.filter(({ DeletionPolicy }) => DeletionPolicy?.startsWith('Retain'));
    expect(kept.filter(({ UpdateReplacePolicy }) => UpdateReplacePolicy !== 'Retain')).toEqual([]);
    const policies = new Set(kept.map(({ Type, DeletionPolicy }) => `${Type} ${DeletionPolicy}`));
    expect([...policies].sort()).toEqual([
      'AWS::Cognito::UserPool RetainExceptOnCreate',
      'AWS::DynamoDB::GlobalTable RetainExceptOnCreate',
      'AWS::KMS::Key RetainExceptOnCreate',
      'AWS::Logs::LogGroup RetainExceptOnCreate',
      'AWS::S3::Bucket Retain',
    ]);
  });

  interface Retained {
    readonly Type: string;
    readonly DeletionPolicy?: string;
    readonly UpdateReplacePolicy?: string;
  }
});

test('a gradual deploy is one of three kinds', () => {
  expect([undefined, 'canary', 'linear', 'allAtOnce'].map(shiftOf)).toEqual([
    undefined,
    'canary',
    'linear',
    'allAtOnce',
  ]);
  expect(() => shiftOf('slow')).toThrow('-c shift must be canary, linear or allAtOnce.');
});

describe('backups', () => {
  const arn = 'arn:aws:backup:us-west-2:123456789012:backup-vault:payments';

  test('are copied to a vault, whose ARN names its account', () => {
    expect(backupVaultOf(undefined, 'us-east-1')).toBeUndefined();
    expect(backupVaultOf(arn, 'us-east-1')).toEqual({ arn, account: '123456789012' });
  });

  test.each([
    [arn, 'us-west-2'],
    ['payments', 'us-east-1'],
    [arn.replace('backup-vault', 'recovery-point'), 'us-east-1'],
  ])('are refused with the vault %s in %s: a region can be lost', (vault, region) => {
    expect(() => backupVaultOf(vault, region)).toThrow('-c backupVault must be the ARN of a vault in another region');
  });
});

describe('a monthly budget', () => {
  test('is in whole dollars', () => {
    expect(monthlyBudgetOf(undefined, undefined)).toBeUndefined();
    expect(monthlyBudgetOf('500', 'oncall@example.com')).toBe(500);
  });

  test.each([
    ['0', 'oncall@example.com'],
    ['-5', 'oncall@example.com'],
    ['12.50', 'oncall@example.com'],
    ['$500', 'oncall@example.com'],
    ['500', undefined],
  ])('is refused as %s for %s', (dollars, email) => {
    expect(() => monthlyBudgetOf(dollars, email)).toThrow('-c monthlyBudget must be whole dollars');
  });
});
