import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const outdir = await mkdtemp(join(tmpdir(), 'payment-app-'));
afterAll(() => rm(outdir, { recursive: true, force: true }));

/** Runs the app as the CDK command does, without an account. */
async function runApp(context: Record<string, string>) {
  const settings = JSON.parse(await readFile(join(root, 'cdk.json'), 'utf8')) as { context: object };
  return run(process.execPath, ['bin/app.ts'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      CDK_OUTDIR: outdir,
      CDK_CONTEXT_JSON: JSON.stringify({ ...settings.context, ...context }),
    },
  });
}

test("the app synthesizes production in another region without findings from CloudFormation's rules or cdk-nag", async () => {
  await runApp({ stage: 'production', region: 'eu-central-1' });
  const report = JSON.parse(await readFile(join(outdir, 'validation-report.json'), 'utf8')) as {
    pluginReports: { violations: unknown[] }[];
  };
  expect(report.pluginReports.flatMap(({ violations }) => violations)).toEqual([]);
  const manifest = JSON.parse(await readFile(join(outdir, 'manifest.json'), 'utf8')) as {
    artifacts: Record<string, { environment?: string; properties?: object }>;
  };
  expect(manifest.artifacts['PatientInvoicePaymentProduction']).toMatchObject({
    environment: 'aws://unknown-account/eu-central-1',
    properties: { terminationProtection: true },
  });
}, 120_000);

test("the app serves the hosted page under the team's own domain with TLS 1.2 or later, and alarms link to their runbook", async () => {
  const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d-0000-1111-2222-333344445555';
  const docsUrl = 'https://git.example.com/payments/blob/main/web/docs/operate.md';
  await runApp({ stage: 'production', region: 'eu-central-1', domain: 'pay.example.com', certificate, docsUrl });
  const report = JSON.parse(await readFile(join(outdir, 'validation-report.json'), 'utf8')) as {
    pluginReports: { violations: unknown[] }[];
  };
  expect(report.pluginReports.flatMap(({ violations }) => violations)).toEqual([]);
  const { Resources, Outputs } = JSON.parse(
    await readFile(join(outdir, 'PatientInvoicePaymentProduction.template.json'), 'utf8'),
  ) as {
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
  const acknowledged = await readFile(join(outdir, 'PatientInvoicePaymentProduction.metadata.json'), 'utf8');
  expect(acknowledged).toContain('AwsSolutions-CFR3');
  expect(acknowledged).not.toContain('AwsSolutions-CFR4');
  expect(Outputs['HostedPageUrl']?.Value).toBe('https://pay.example.com');
  expect(Outputs['HostedPageTarget']?.Value).toEqual({ 'Fn::GetAtt': [id, 'DomainName'] });
  const links = Object.values(Resources).flatMap(
    ({ Properties }) => Properties?.Environment?.Variables['HOSTED_PAGE_URL'] ?? [],
  );
  expect(links).toEqual(['https://pay.example.com']);
  const alarms = Object.values(Resources).filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm');
  expect(alarms.length).toBeGreaterThan(0);
  for (const alarm of alarms) expect(JSON.stringify(alarm)).toContain(`Runbook: ${docsUrl}#`);
}, 120_000);

test.each([
  { domain: 'pay.example.com' },
  { certificate: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d' },
  { domain: 'https://pay.example.com', certificate: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d' },
  { domain: 'pay.example.com', certificate: 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b2c3d' },
])('the app refuses %j as a domain and says what it needs', async (context) => {
  await expect(runApp(context)).rejects.toThrow(
    'needs both -c domain=pay.example.com and -c certificate=arn:aws:acm:us-east-1:…',
  );
});

test('the app has every feature flag that CDK recommends', async () => {
  const recommended: unknown = JSON.parse(
    await readFile(join(root, 'node_modules/aws-cdk-lib/recommended-feature-flags.json'), 'utf8'),
  );
  const { context } = JSON.parse(await readFile(join(root, 'cdk.json'), 'utf8')) as { context: object };
  expect(context).toMatchObject(recommended as object);
});

test('the app refuses an unknown stage and lists the ones that exist', async () => {
  await expect(runApp({ stage: 'staging' })).rejects.toThrow(
    'Unknown stage "staging". Use -c stage=sandbox or -c stage=production.',
  );
});
