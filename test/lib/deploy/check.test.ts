import { ACMClient, ResourceNotFoundException } from '@aws-sdk/client-acm';
import { CloudFormationClient, CloudFormationServiceException, type Stack } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { NotFoundException, SESv2Client } from '@aws-sdk/client-sesv2';
import { SNSClient } from '@aws-sdk/client-sns';
import { STSClient } from '@aws-sdk/client-sts';
import { describe, expect, test } from 'vitest';
import { checkAccount } from '../../../lib/deploy/check/check.ts';
import { settingsOf } from '../../../lib/settings/settings.ts';
import { answered, type Answer } from '../../support/answered-client.ts';
import { certificate, needed } from '../../support/apps.ts';
import { startFakeIssuer } from '../../support/fake-issuer.ts';

const accountId = '123456789012';
const production = { ...needed, mailFrom: 'payments@example.com' };
const stripeSecret = {
  secretKey: 'sk_live_51Secret',
  publishableKey: 'pk_live_51Public',
  webhookSecret: 'whsec_one',
  connectWebhookSecret: ['whsec_new', 'whsec_old'],
};
const bootstrapped = { Outputs: [{ OutputKey: 'BootstrapVersion', OutputValue: '31' }] };
const up = { StackStatus: 'UPDATE_COMPLETE', EnableTerminationProtection: true } as const;

interface Account {
  readonly stacks?: Record<string, Partial<Stack>>;
  readonly concurrency?: readonly [number, number];
  readonly certified?: object | null;
  readonly secret?: object | string;
  readonly verified?: readonly string[];
  readonly leftSandbox?: boolean;
  readonly configurationSet?: string;
  readonly subscribed?: readonly object[];
  readonly alias?: string;
  readonly atCloudFront?: boolean;
  /** The texts of the secrets' versions, newest first, keyed by ID. */
  readonly stackSecrets?: Record<string, readonly string[]>;
  readonly get?: (url: string) => Promise<Response>;
  /** Commands that AWS denies. */
  readonly denied?: readonly string[];
}

/** Answers as AWS's documentation says. */
async function checked(
  settings: Record<string, string>,
  {
    stacks = { CDKToolkit: bootstrapped },
    concurrency = [1000, 1000],
    certified = { Status: 'ISSUED', DomainName: 'pay.example.com' },
    secret = stripeSecret,
    verified = ['example.com'],
    leftSandbox = true,
    configurationSet,
    subscribed = [],
    alias,
    atCloudFront = false,
    stackSecrets = {},
    get = async () => Promise.reject(new Error('ENOTFOUND')),
    denied = [],
  }: Account = {},
) {
  const config = { region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
  const answers: Answer = (command, input) => {
    if (denied.includes(command)) throw Object.assign(new Error('no'), { name: 'AccessDeniedException' });
    switch (command) {
      case 'GetCallerIdentity':
        return { Account: accountId };
      case 'DescribeStacks': {
        const stack = stacks[String(input['StackName'])];
        if (stack) return { Stacks: [stack] };
        throw new CloudFormationServiceException({
          name: 'ValidationError',
          message: `Stack with id ${String(input['StackName'])} does not exist`,
          $fault: 'client',
          $metadata: {},
        });
      }
      case 'GetAccountSettings':
        return {
          AccountLimit: { ConcurrentExecutions: concurrency[0], UnreservedConcurrentExecutions: concurrency[1] },
        };
      case 'DescribeCertificate':
        if (!certified) throw new ResourceNotFoundException({ message: 'none', $metadata: {} });
        return { Certificate: certified };
      case 'ListStackResources':
        return {
          StackResourceSummaries: Object.keys(stackSecrets).map((id) => ({
            LogicalResourceId: id,
            PhysicalResourceId: id,
            ResourceType: 'AWS::SecretsManager::Secret',
          })),
        };
      case 'GetSecretValue': {
        const versions = stackSecrets[String(input['SecretId'])];
        const text = versions?.[input['VersionStage'] === 'AWSPREVIOUS' ? 1 : 0];
        if (versions && text === undefined) throw new ResourceNotFoundException({ message: 'none', $metadata: {} });
        if (text !== undefined) return { SecretString: text };
        return { SecretString: typeof secret === 'string' ? secret : JSON.stringify(secret) };
      }
      case 'GetEmailIdentity':
        if (!verified.includes(String(input['EmailIdentity'])))
          throw new NotFoundException({ message: 'none', $metadata: {} });
        return { VerifiedForSendingStatus: true, ConfigurationSetName: configurationSet };
      case 'ListSubscriptionsByTopic':
        // One per page.
        return {
          Subscriptions: [subscribed[Number(input['NextToken'] ?? 0)]].filter(Boolean),
          NextToken: Number(input['NextToken'] ?? 0) + 1 < subscribed.length ? '1' : undefined,
        };
      case 'GetAccount':
        return { ProductionAccessEnabled: leftSandbox };
      default:
        return undefined;
    }
  };
  const client = <Client>(bare: Client) => answered(bare, answers).client;
  const findings = await checkAccount(
    {
      sts: client(new STSClient(config)),
      cloudFormation: client(new CloudFormationClient(config)),
      lambda: client(new LambdaClient(config)),
      acmOf: (region) => client(new ACMClient({ ...config, region })),
      sns: client(new SNSClient(config)),
      ses: client(new SESv2Client(config)),
      secretsManager: client(new SecretsManagerClient(config)),
      resolveAlias: async () => (alias === undefined ? Promise.reject(new Error('ENODATA')) : [alias]),
      isAtCloudFront: async () => atCloudFront,
      get,
    },
    settingsOf((key) => settings[key], 'us-east-1'),
    { region: 'us-east-1', prefix: 'AWS_REGION=us-east-1 ' },
  );
  expect(findings.filter(({ text }) => text.includes('\n'))).toEqual([]);
  return findings;
}

async function linesOf(level: string, settings: Record<string, string>, account?: Account) {
  return (await checked(settings, account)).filter((each) => each.level === level).map(({ text }) => text);
}

test('an account that has everything lacks nothing', async () => {
  expect(await linesOf('missing', production)).toEqual([]);
  expect(await linesOf('unknown', production)).toEqual([]);
});

test('without credentials, nothing else is checked', async () => {
  const findings = await checked(production, { denied: ['GetCallerIdentity'] });
  expect(findings.map(({ level }) => level)).toEqual(['missing']);
});

test('what AWS refuses to show is reported with the permission that it needs', async () => {
  const denied = ['GetAccountSettings', 'DescribeCertificate', 'GetSecretValue', 'GetEmailIdentity', 'DescribeStacks'];
  const lines = (await linesOf('unknown', production, { denied })).join('\n');
  for (const action of [
    'lambda:GetAccountSettings',
    'acm:DescribeCertificate in us-east-1',
    'secretsmanager:GetSecretValue',
    'ses:GetEmailIdentity',
    'cloudformation:DescribeStacks',
  ])
    expect(lines).toContain(`AccessDeniedException: needs ${action}`);
  expect(await linesOf('missing', production, { denied })).toEqual([]);
});

test.each([
  [{}, 'there is no stack CDKToolkit'],
  [{ CDKToolkit: { Outputs: [{ OutputKey: 'BootstrapVersion', OutputValue: '4' }] } }, 'version 4 is older'],
])('bootstrapping is missing with %j', async (stacks: Record<string, Partial<Stack>>, expected) => {
  const [line] = await linesOf('missing', {}, { stacks });
  expect(line).toContain(expected);
  expect(line).toContain(`npx cdk bootstrap aws://${accountId}/us-east-1`);
});

describe('the stack', () => {
  const withStack = (stack: Partial<Stack>) => ({
    stacks: { CDKToolkit: bootstrapped, PatientInvoicePaymentSandbox: stack },
  });

  test('may have failed its first deploy', async () => {
    const lines = await linesOf('ok', {}, withStack({ StackStatus: 'ROLLBACK_COMPLETE' }));
    expect(lines.join()).toContain('`npm run deploy` starts over');
  });

  test.each([
    ['UPDATE_IN_PROGRESS', 'Wait for it'],
    ['DELETE_FAILED', 'AWS_REGION=us-east-1 npm run -s practice -- destroy --stack PatientInvoicePaymentSandbox'],
    ['UPDATE_ROLLBACK_FAILED', 'npx cdk rollback'],
  ] as const)('in %s cannot be deployed', async (StackStatus, expected) => {
    expect((await linesOf('missing', {}, withStack({ StackStatus }))).join()).toContain(expected);
  });

  test('that is not protected from deletion is a warning', async () => {
    const warnings = (stack: Partial<Stack>) => linesOf('warning', {}, withStack(stack));
    expect((await warnings({ ...up, EnableTerminationProtection: false })).join()).toContain('deleted by mistake');
    expect((await warnings(up)).join()).not.toContain('deleted by mistake');
  });

  test('continues with the secret of its distributions or with the next one', async () => {
    const stack = withStack({ ...up, Outputs: [{ OutputKey: 'OriginSecretNumber', OutputValue: '2' }] });
    expect((await linesOf('missing', {}, stack)).join()).toContain('Give 2, or 3');
    expect(await linesOf('missing', { originSecret: '3' }, stack)).toEqual([]);
  });

  test('keeps its settings', async () => {
    const stack = withStack({ ...up, Outputs: [{ OutputKey: 'Settings', OutputValue: '{"reserve":"true"}' }] });
    expect(await linesOf('missing', {}, stack)).toEqual([
      expect.stringMatching(/^Settings: .*Give -c reserve=true, or -c reserve=none to drop it\.$/),
    ]);
    for (const reserve of ['true', 'false', 'none']) expect(await linesOf('missing', { reserve }, stack)).toEqual([]);
  });

  test('of the other stage should have another account', async () => {
    const stacks = { CDKToolkit: bootstrapped, PatientInvoicePaymentSandbox: up };
    expect((await linesOf('warning', production, { stacks })).join()).toContain('an account each');
  });
});

test("a new account's quota of 10 is a warning, and one that allows reservations recommends them", async () => {
  expect((await linesOf('warning', {}, { concurrency: [10, 10] })).join()).toContain(
    'Ask: AWS_REGION=us-east-1 aws service-quotas request-service-quota-increase',
  );
  expect((await linesOf('warning', {}, { concurrency: [1000, 1000] })).join()).toContain('-c reserve=true');
  expect((await linesOf('warning', {}, { concurrency: [300, 300] })).join()).not.toContain('Lambda');
  const reserve = { reserve: 'true' };
  expect((await linesOf('missing', reserve, { concurrency: [100, 100] })).join()).toContain(
    'Leave out -c reserve=true',
  );
  expect((await linesOf('ok', reserve, { concurrency: [1000, 1000] })).join()).toContain('Lambda');
});

describe('the certificate', () => {
  const missing = async (certified: object | null) => (await linesOf('missing', production, { certified })).join();

  test.each([
    [null, 'there is none with this ARN'],
    [{ Status: 'PENDING_VALIDATION' }, 'not issued yet'],
    [{ Status: 'EXPIRED' }, 'its status is EXPIRED'],
    [{ Status: 'ISSUED', DomainName: 'www.example.com' }, 'it is for www.example.com'],
    [{ Status: 'ISSUED', DomainName: '*.pay.example.com' }, 'Request one for pay.example.com'],
  ])('%j will not do', async (certified, expected) => {
    expect(await missing(certified)).toContain(expected);
  });

  test.each([
    { Status: 'ISSUED', DomainName: '*.example.com' },
    { Status: 'ISSUED', DomainName: 'www.example.com', SubjectAlternativeNames: ['pay.example.com'] },
  ])('%j will do', async (certified) => {
    expect(await missing(certified)).toBe('');
  });

  test('of another account will not do', async () => {
    const settings = { ...production, certificate: certificate.replace(accountId, '210987654321') };
    expect((await linesOf('missing', settings)).join()).toContain('belongs to another account');
  });
});

describe('the DNS record', () => {
  const target = 'd111111abcdef8.cloudfront.net';
  const stacks = {
    CDKToolkit: bootstrapped,
    PatientInvoicePaymentProduction: {
      ...up,
      Outputs: [{ OutputKey: 'HostedPageTarget', OutputValue: target }],
    },
  };

  test('points at the stack, or the check says where it should', async () => {
    expect((await linesOf('ok', production, { stacks, alias: target })).join()).toContain('points at the stack');
    const elsewhere = await linesOf('warning', production, { stacks, alias: 'old.example.net' });
    expect(elsewhere.join()).toContain(`points at old.example.net. Point it at ${target}`);
    expect((await linesOf('warning', production, { stacks })).join()).toContain(`Point it at ${target}`);
  });

  const others = 'd222222abcdef8.cloudfront.net';
  const held = `DNS of pay.example.com: points at ${others}, which is not this stack's`;

  test('of a name that another distribution holds stops the first deploy', async () => {
    expect((await linesOf('missing', production, { alias: others })).join()).toContain(held);
    const byAddress = (await linesOf('missing', production, { atCloudFront: true })).join();
    expect(byAddress).toContain('points at a CloudFront distribution');
    expect((await linesOf('warning', production, { alias: 'shop.example.net' })).join()).toContain('must give it up');
    expect(await linesOf('missing', production, { alias: 'shop.example.net' })).toEqual([]);
  });

  test('of a name that another distribution holds stops the deploy that adds or changes the domain', async () => {
    const urls = ['https://d333333abcdef8.cloudfront.net', 'https://old.example.com'];
    for (const OutputValue of urls) {
      const Outputs = [{ OutputKey: 'HostedPageUrl', OutputValue }];
      const stack = { ...up, Outputs };
      const changed = { CDKToolkit: bootstrapped, PatientInvoicePaymentProduction: stack };
      expect((await linesOf('missing', production, { stacks: changed, alias: others })).join()).toContain(held);
    }
  });

  test('of a name that the stack serves stops nothing, wherever it points', async () => {
    const outputs = { HostedPageTarget: target, HostedPageUrl: 'https://pay.example.com' };
    const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
    const serving = { CDKToolkit: bootstrapped, PatientInvoicePaymentProduction: { ...up, Outputs } };
    expect((await linesOf('missing', production, { stacks: serving, alias: others })).join()).not.toContain('DNS');
    expect((await linesOf('warning', production, { stacks: serving, atCloudFront: true })).join()).toContain(
      'Point it',
    );
  });

  test('of an API domain may not be held by another API of the region', async () => {
    const settings = { ...production, apiDomain: 'api.example.com', apiCertificate: certificate };
    const api = 'd-abc.execute-api.us-east-1.amazonaws.com';
    expect((await linesOf('missing', settings, { alias: api })).join()).toContain(`api.example.com: points at ${api}`);
    const elsewhere = (await linesOf('missing', settings, { alias: api.replace('us-east-1', 'eu-west-1') })).join();
    expect(elsewhere).not.toContain('DNS of api.example.com');
  });

  test('may be missing before the first deploy', async () => {
    expect((await linesOf('ok', production)).join()).toContain('no alias yet');
  });
});

describe('mail', () => {
  test('needs a verified address or domain, and an account outside the sandbox of SES', async () => {
    expect((await linesOf('missing', production, { verified: [] })).join()).toContain('has verified neither');
    expect(await linesOf('missing', production, { verified: ['payments@example.com'] })).toEqual([]);
    expect((await linesOf('warning', production, { leftSandbox: false })).join()).toContain("SES's sandbox");
  });

  test('warns of a default configuration set, which the functions may not use', async () => {
    const warnings = await linesOf('warning', production, { configurationSet: 'my-first-configuration-set' });
    expect(warnings.join()).toContain('example.com has the default configuration set my-first-configuration-set');
    expect((await linesOf('warning', production)).join()).not.toContain('configuration set');
  });
});

describe('the address that gets the alarms', () => {
  const Outputs = [{ OutputKey: 'AlarmTopic', OutputValue: 'arn:aws:sns:us-east-1:123456789012:Alarms' }];
  const stacks = { CDKToolkit: bootstrapped, PatientInvoicePaymentProduction: { ...up, Outputs } };
  const of = (Endpoint: string, SubscriptionArn: string) => ({ Protocol: 'email', Endpoint, SubscriptionArn });
  const someone = of('someone@example.com', `arn:aws:sns:us-east-1:${accountId}:Alarms:1`);
  const lines = (level: string, subscribed: readonly object[]) =>
    linesOf(level, production, { stacks, subscribed }).then((found) =>
      found.filter((text) => text.startsWith('Alarms')),
    );

  test('is confirmed, or the check says so', async () => {
    const confirmed = of('oncall@example.com', `arn:aws:sns:us-east-1:${accountId}:Alarms:2`);
    expect(await lines('ok', [someone, confirmed])).toEqual(['Alarms to oncall@example.com: confirmed.']);
    const pending = of('oncall@example.com', 'PendingConfirmation');
    expect((await lines('warning', [someone, pending])).join()).toContain('not confirmed, so nobody gets them');
    expect((await lines('warning', [someone])).join()).toContain('not subscribed');
    expect((await lines('warning', [of('oncall@example.com', 'Deleted')])).join()).toContain('not subscribed');
  });

  test('is not checked before there is a stack', async () => {
    expect((await linesOf('warning', production)).join()).not.toContain('Alarms');
  });
});

describe("Stripe's secret", () => {
  test.each([
    ['not JSON', 'JSON'],
    [{ ...stripeSecret, secretKey: 'sk_test_51Secret' }, 'secretKey'],
    [{ ...stripeSecret, connectWebhookSecret: undefined }, 'connectWebhookSecret'],
  ])('%j is reported by field, and never printed', async (secret, field) => {
    const findings = await checked(production, { secret });
    const text = JSON.stringify(findings);
    expect(text).toContain(`wrong or missing in the secret: ${field}`);
    for (const value of ['51Secret', '51Public', 'whsec_one', 'whsec_new']) expect(text).not.toContain(value);
  });
});

test("Stripe's secret may end with line breaks, but has none inside", async () => {
  const lines = (secretKey: string) => linesOf('missing', production, { secret: { ...stripeSecret, secretKey } });
  expect(await lines('sk_live_51Secret\n')).toEqual([]);
  expect((await lines('sk_live_51\nSecret')).join()).toContain('secretKey');
});

describe('the issuer', () => {
  async function lines(level: string, metadata: object = {}, answer = (response: Response) => response) {
    const fake = await startFakeIssuer({ metadata });
    // Stands in for TLS.
    const get = async (url: string) => {
      const response = await fetch(url.replace('https:', 'http:'));
      return answer(new Response((await response.text()).replaceAll('http://127', 'https://127'), response));
    };
    const settings = { oidcIssuer: fake.issuer.replace('http:', 'https:'), oidcClientId: 'client' };
    return (await linesOf(level, settings, { get })).filter((text) => text.startsWith('Issuer'));
  }

  test('that has what the sign-in needs is fine, with or without claims that it need not list', async () => {
    expect(await lines('ok')).toHaveLength(1);
    const all = {
      claims_supported: ['sub', 'auth_time'],
      prompt_values_supported: ['login'],
      scopes_supported: ['email'],
    };
    for (const level of ['missing', 'warning', 'unknown']) expect(await lines(level, all)).toEqual([]);
  });

  test.each([
    [
      { issuer: 'https://login.example/{tenantid}/v2.0' },
      'names another issuer, "https://login.example/{tenantid}/v2.0"',
    ],
    [{ token_endpoint: undefined, jwks_uri: 'http://login.example/keys' }, 'no https URL in token_endpoint, jwks_uri'],
    [{ response_types_supported: ['id_token'] }, 'does not support the response type `code`'],
    [{ grant_types_supported: ['implicit'] }, 'the grant `authorization_code`'],
    [{ code_challenge_methods_supported: ['plain'] }, 'PKCE with `S256`'],
    [{ token_endpoint_auth_methods_supported: ['private_key_jwt'] }, 'a client secret in the header or the form'],
    [{ id_token_signing_alg_values_supported: ['HS256', 'none'] }, 'ID tokens signed with a published key'],
  ])('%j cannot sign anybody in', async (metadata, expected) => {
    expect((await lines('missing', metadata)).join()).toContain(expected);
  });

  test.each([
    [{ claims_supported: ['sub', 'email'] }, 'does not say when'],
    [{ scopes_supported: ['openid'] }, 'no scope `email`'],
    [{ prompt_values_supported: ['none'] }, '`prompt=login`'],
  ])('%j is a warning', async (metadata, expected) => {
    expect((await lines('warning', metadata)).join()).toContain(expected);
    expect(await lines('missing', metadata)).toEqual([]);
  });

  test.each([
    [new Response(null, { status: 302, headers: { location: '/elsewhere' } }), 'answers 302'],
    [new Response('not found', { status: 404 }), 'answers 404'],
    [new Response('<!doctype html>'), 'is not the metadata of an issuer'],
  ])('with a document other than its metadata is reported: %#', async (response, expected) => {
    expect((await lines('missing', {}, () => response)).join()).toContain(expected);
  });

  test.each([
    ['https://login.example', 'https://login.example/', 'ok'],
    ['https://login.example/o/app', 'https://login.example/o/app/', 'missing'],
  ])('given as %s that calls itself %s: %s', async (oidcIssuer, issuer, level) => {
    const asked: string[] = [];
    const get = async (url: string) => {
      asked.push(url);
      const endpoint = 'https://login.example/endpoint';
      return Response.json({ issuer, authorization_endpoint: endpoint, token_endpoint: endpoint, jwks_uri: endpoint });
    };
    const found = await linesOf(level, { oidcIssuer, oidcClientId: 'client' }, { get });
    expect(found.filter((text) => text.startsWith('Issuer'))).toHaveLength(1);
    expect(asked).toEqual([`${oidcIssuer}/.well-known/openid-configuration`]);
  });

  test('that does not answer could not be checked', async () => {
    const settings = { oidcIssuer: 'https://login.example', oidcClientId: 'client' };
    expect((await linesOf('unknown', settings)).join()).toContain('Issuer: could not check. Error: ENOTFOUND');
  });
});

describe("the stack's secrets", () => {
  const stacks = {
    CDKToolkit: bootstrapped,
    PatientInvoicePaymentSandbox: { ...up, StackId: 'arn:aws:cloudformation:us-east-1:1:stack/Name/1' },
  };
  const own = { oidcIssuer: 'https://login.example', oidcClientId: 'client' };
  const missing = (stackSecrets: Record<string, readonly string[]>, settings: Record<string, string> = own) =>
    linesOf('missing', settings, { stacks, stackSecrets });

  test('that can be read and look right lack nothing, even with a line break at their ends', async () => {
    const stackSecrets = { OriginSecret1A: ['a1B2'], SignInClientSecretB: ['the secret~1\r\n', 'generated-1'] };
    expect(await missing(stackSecrets)).toEqual([]);
    expect(await missing({ SignInClientSecretB: ['of the user pool'] }, {})).toEqual([]);
  });

  test.each([
    [
      { SignInClientSecretB: ['generated-1'] },
      'Client secret: SignInClientSecretB still has the value that AWS generated',
    ],
    [{ SignInClientSecretB: ['{"clientSecret":"a"}', ''] }, 'no JSON'],
    [{ SignInClientSecretB: ['two\nlines', ''] }, 'no line break inside'],
    [{ SignInClientSecretB: [' \n', ''] }, 'plain text on one line'],
    [{ SignInClientSecretB: [] }, 'does not exist, or has no value'],
    [{ OriginSecret1A: ['a,b'] }, 'Secret of the distributions: the text in OriginSecret1A is not one'],
  ])('%j are reported and never printed', async (stackSecrets, expected) => {
    const lines = (await missing(stackSecrets)).join();
    expect(lines).toContain(expected);
    for (const [text] of Object.values<readonly string[]>(stackSecrets))
      if (text?.trim()) expect(lines).not.toContain(text);
  });

  test('of a first deploy do not exist yet', async () => {
    expect((await linesOf('ok', own)).join()).toContain('Client secret: the first deploy creates a secret for it');
    expect((await linesOf('ok', {})).join()).not.toContain('Client secret');
  });
});

test('a web ACL of another account is refused', async () => {
  const webAcl = 'arn:aws:wafv2:us-east-1:210987654321:global/webacl/pages/0a1b2c3d';
  expect((await linesOf('missing', { ...production, webAcl })).join()).toContain('Web ACL');
});
