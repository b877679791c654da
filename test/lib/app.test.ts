import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { settingsOf } from '../../lib/settings/settings.ts';
import { appNames, certificate, needed, runbookUrl, webAcl } from '../support/apps.ts';
import { appFolder, bundlesOf, folderByCommand } from '../support/built.ts';
import { runApp } from '../support/run-app.ts';

const root = resolve(import.meta.dirname, '../..');
const outdir = await mkdtemp(join(tmpdir(), 'payment-app-'));
afterAll(() => rm(outdir, { recursive: true, force: true }));

const bundlesIn = (folder: string) =>
  globSync('**/index.js', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));

async function readJson(...path: string[]): Promise<unknown> {
  return JSON.parse(await readFile(join(...path), 'utf8'));
}

async function findingsIn(folder: string): Promise<unknown[]> {
  const report = (await readJson(folder, 'validation-report.json')) as { pluginReports: { violations: unknown[] }[] };
  expect(report.pluginReports.length).toBeGreaterThan(0);
  return report.pluginReports.flatMap(({ violations }) => violations);
}

test.concurrent('the app synthesizes production in another region with one finding: the warning that alarms lack a URL; the same sources produce the same bytes', async () => {
  const folder = await folderByCommand();
  // Otherwise every deploy would replace every function.
  const [again, bundles] = [bundlesIn(folder), bundlesIn(await bundlesOf('live'))];
  expect(again.length).toBeGreaterThan(0);
  expect(again.filter((bundle) => !bundles.includes(bundle))).toEqual([]);
  const [warning, ...others] = await findingsIn(folder);
  expect(others).toEqual([]);
  expect(JSON.stringify(warning)).toContain('Give -c runbookUrl=');
  const manifest = (await readJson(folder, 'manifest.json')) as {
    artifacts: Record<string, { environment?: string; properties?: object }>;
  };
  expect(manifest.artifacts['PatientInvoicePaymentProduction']).toMatchObject({
    environment: 'aws://unknown-account/eu-central-1',
    properties: { terminationProtection: true },
  });
  const template = await readJson(folder, 'PatientInvoicePaymentProduction.template.json');
  expect(JSON.stringify(template), 'without mailFrom').not.toMatch(/ses:SendEmail|NotifyMembers/);
  const { Resources } = template as { Resources: Record<string, { Type: string; Properties: object }> };
  const rules = Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::Events::Rule');
  const owners = rules.find(([, { Properties }]) => JSON.stringify(Properties).includes('"webhook.endpoint."'));
  const [topic] = Object.entries(Resources).find(([, { Type }]) => Type === 'AWS::SNS::Topic') ?? [];
  expect(owners?.[1].Properties).toMatchObject({
    EventPattern: { source: ['patient-invoice-payment'], 'detail-type': [{ prefix: 'webhook.endpoint.' }] },
    Targets: [{ Arn: { Ref: topic } }],
  });
  const [policy] = Object.values(Resources).filter(({ Type }) => Type === 'AWS::SNS::TopicPolicy');
  expect(policy?.Properties).toMatchObject({
    PolicyDocument: {
      Statement: expect.arrayContaining([
        expect.objectContaining({
          Principal: { Service: 'events.amazonaws.com' },
          Condition: { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [owners?.[0], 'Arn'] } } },
        }),
      ]) as unknown,
    },
  });
});

test.each(appNames)('the %s follows the rules of CloudFormation and cdk-nag', async (name) => {
  expect(await findingsIn(await appFolder(name))).toEqual([]);
});

test.concurrent('the app can serve both pages and the API on custom domains with TLS 1.2, use another web ACL, sign in at another issuer, link alarms to a published runbook, use a bootstrap with another qualifier, take numbers from cdk.json, and leave a first deploy unprotected', async () => {
  const folder = await appFolder('app-of-others');
  const { Resources, Outputs } = (await readJson(folder, 'PatientInvoicePaymentProduction.template.json')) as {
    Resources: Record<string, { Type: string; Properties?: { Environment?: { Variables: Record<string, unknown> } } }>;
    Outputs: Record<string, { Value: unknown }>;
  };
  const [id, distribution] = Object.entries(Resources).find(
    ([, { Type }]) => Type === 'AWS::CloudFront::Distribution',
  )!;
  expect(distribution.Properties).toMatchObject({
    DistributionConfig: {
      Aliases: ['pay.example.com'],
      ViewerCertificate: {
        AcmCertificateArn: certificate,
        MinimumProtocolVersion: 'TLSv1.2_2021',
        SslSupportMethod: 'sni-only',
      },
    },
  });
  expect(JSON.stringify(Resources).split(`"WebACLId":"${webAcl}"`)).toHaveLength(3);
  const [apiDomain] = Object.entries(Resources).find(([, { Type }]) => Type === 'AWS::ApiGatewayV2::DomainName')!;
  expect(Outputs['ApiUrl']?.Value).toBe('https://api.example.com');
  expect(Outputs['ApiTarget']?.Value).toEqual({ 'Fn::GetAtt': [apiDomain, 'RegionalDomainName'] });
  expect(JSON.stringify(Outputs['OperatorSettings'])).toContain('https://api.example.com');
  const documented = Object.entries(Resources).find(
    ([name, { Type }]) => Type === 'AWS::Lambda::Function' && name.startsWith('PracticeApiGetOpenApiDocument'),
  );
  expect(JSON.stringify(documented)).toContain('"API_URL":"https://api.example.com"');
  const acknowledged = JSON.stringify(await readJson(folder, 'PatientInvoicePaymentProduction.metadata.json'));
  expect(acknowledged).toContain('AwsSolutions-CFR3');
  expect(acknowledged).not.toMatch(/AwsSolutions-CFR[24]/);
  expect(Outputs['HostedPageUrl']?.Value).toBe('https://pay.example.com');
  expect(Outputs['HostedPageTarget']?.Value).toEqual({ 'Fn::GetAtt': [id, 'DomainName'] });
  expect(Outputs['DashboardUrl']?.Value).toBe('https://practice.example.com');
  expect(Outputs['OriginSecretNumber']?.Value).toBe('2');
  expect(JSON.parse(String(Outputs['Settings']?.Value))).toEqual({
    domain: 'pay.example.com',
    dashboardDomain: 'practice.example.com',
    apiDomain: 'api.example.com',
    webAcl,
    mailFrom: 'payments@example.com',
    alarmEmail: 'oncall@example.com',
    oidcIssuer: 'https://login.example.com',
    shift: 'allAtOnce',
    chargeType: 'direct',
  });
  expect(Outputs['OidcClientSecretName']).toBeDefined();
  expect(Object.values(Resources).filter(({ Type }) => Type.startsWith('AWS::Cognito::'))).toEqual([]);
  const links = Object.values(Resources).flatMap(
    ({ Properties }) => Properties?.Environment?.Variables['HOSTED_PAGE_URL'] ?? [],
  );
  expect(new Set(links)).toEqual(new Set(['https://pay.example.com']));
  const alarms = Object.values(Resources).filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm');
  expect(alarms.length).toBeGreaterThan(0);
  for (const alarm of alarms) expect(JSON.stringify(alarm)).toContain(`Runbook: ${runbookUrl}#`);
  const subscriptions = Object.values(Resources).filter(({ Type }) => Type === 'AWS::SNS::Subscription');
  expect(subscriptions.map(({ Properties }) => Properties)).toEqual([
    expect.objectContaining({ Protocol: 'email', Endpoint: 'oncall@example.com' }),
  ]);
  const manifest = (await readJson(folder, 'manifest.json')) as {
    artifacts: Record<string, { properties?: { terminationProtection?: boolean } }>;
  };
  expect(manifest.artifacts['PatientInvoicePaymentProduction']?.properties?.terminationProtection).toBe(false);
  expect(JSON.stringify(Resources)).not.toContain('"DeletionProtectionEnabled":true');
});

test.concurrent('the app says what its settings still need, one line each, and nothing else', async () => {
  await expect(runApp(join(outdir, 'rejected'), { stage: 'production' })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^Production needs -c stripeSecret=.*\nProduction needs -c domain=.*\nProduction needs -c alarmEmail=.*\nProduction needs -c securityContact=.*\nProduction needs -c operatorName=.*\nProduction needs -c operatorEmail=.*\n$/,
    ) as string,
  });
});

test.each([
  [{ stage: 'staging' }, /^Unknown stage "staging"\. Use -c stage=sandbox or -c stage=production\.$/],
  [{ oidcIssuer: 'https://login.example.com' }, /^Your own issuer needs both -c oidcIssuer.*$/],
  [
    { ...needed, stripeApiBase: 'http://127.0.0.1:4242' },
    /^A deployed stack calls only https:\/\/api\.stripe\.com .*$/,
  ],
  [{ runbookUrl: 'http://git.example.com/runbook.md' }, /^-c runbookUrl must be the https URL.*$/],
])('the settings %j are rejected in one line that says what they need', (context: Record<string, string>, line) => {
  expect(() => settingsOf((key) => context[key], 'us-east-1')).toThrow(line);
});

test('the app has every feature flag that CDK recommends', async () => {
  const recommended: unknown = JSON.parse(
    await readFile(join(root, 'node_modules/aws-cdk-lib/recommended-feature-flags.json'), 'utf8'),
  );
  const { context } = JSON.parse(await readFile(join(root, 'cdk.json'), 'utf8')) as { context: object };
  expect(context).toMatchObject(recommended as object);
});
