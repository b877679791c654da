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
    env: { PATH: process.env['PATH'], CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify({ ...settings.context, ...context }) },
  });
}

test("the app synthesizes production in another region, and neither CloudFormation's rules nor cdk-nag find anything", async () => {
  await runApp({ stage: 'production', region: 'eu-central-1' });
  const report = JSON.parse(await readFile(join(outdir, 'validation-report.json'), 'utf8')) as { pluginReports: { violations: unknown[] }[] };
  expect(report.pluginReports.flatMap(({ violations }) => violations)).toEqual([]);
  const manifest = JSON.parse(await readFile(join(outdir, 'manifest.json'), 'utf8')) as { artifacts: Record<string, { environment?: string; properties?: object }> };
  expect(manifest.artifacts['PatientInvoicePaymentProduction']).toMatchObject({
    environment: 'aws://unknown-account/eu-central-1',
    properties: { terminationProtection: true },
  });
}, 120_000);

test('the app has every feature flag that CDK recommends', async () => {
  const recommended: unknown = JSON.parse(await readFile(join(root, 'node_modules/aws-cdk-lib/recommended-feature-flags.json'), 'utf8'));
  const { context } = JSON.parse(await readFile(join(root, 'cdk.json'), 'utf8')) as { context: object };
  expect(context).toEqual(recommended);
});

test('a stage that does not exist ends the app with what to choose instead', async () => {
  await expect(runApp({ stage: 'staging' })).rejects.toThrow('There is no stage "staging". Choose -c stage=sandbox or -c stage=production.');
});
