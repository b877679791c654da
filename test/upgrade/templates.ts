import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { settingsOfApp, synthesizeApp } from '../../lib/build/app.ts';
import { root } from '../../lib/build/build.ts';
import { stackNames, type StageName } from '../../lib/settings/stage.ts';
import { comparable, type Resources } from './compare.ts';

export const releases = join(import.meta.dirname, 'releases');

const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d-0000-1111-2222-333344445555';

export const settings = {
  sandbox: {},
  // Every setting that adds something.
  production: {
    domain: 'pay.example.com',
    certificate,
    dashboardDomain: 'dashboard.example.com',
    dashboardCertificate: certificate,
    apiDomain: 'api.example.com',
    apiCertificate: certificate,
    stripeSecret: 'payments/stripe',
    mailFrom: 'payments@example.com',
    alarmEmail: 'oncall@example.com',
    securityContact: 'mailto:security@example.com',
    operatorName: 'Harbor Payments, Inc.',
    operatorEmail: 'help@harbor.example',
    runbookUrl: 'https://git.example.com/payments/blob/main/web/docs/runbook.md',
    reserve: 'true',
    shift: 'canary',
    backupVault: 'arn:aws:backup:us-west-2:210987654321:backup-vault:payments',
    monthlyBudget: '500',
  },
} as const satisfies Record<StageName, object>;

/** Of today's template, what releases are compared with. `functions`: where `buildFunctions` has put them already. */
export async function currentResources(stage: StageName, outdir: string, functions?: string): Promise<Resources> {
  return comparable(await currentTemplate(stage, outdir, functions));
}

/** With every setting that adds something. */
export async function currentTemplate(
  stage: StageName,
  outdir: string,
  functions?: string,
): Promise<{ readonly Resources: Resources }> {
  const { context } = JSON.parse(await readFile(join(root, 'cdk.json'), 'utf8')) as { context: object };
  const app = new App({ outdir, context: { ...context, stage, region: 'us-east-1', ...settings[stage] } });
  await synthesizeApp(app, settingsOfApp(app, {}), functions);
  const text = await readFile(join(outdir, `${stackNames[stage]}.template.json`), 'utf8');
  return JSON.parse(text) as { Resources: Resources };
}

export async function releasedResources(version: string, stage: StageName): Promise<Resources> {
  return Object.fromEntries((await readLines(version, `${stage}.jsonl`)) as [string, Resources[string]][]);
}

export async function readLines(version: string, name: string): Promise<unknown[]> {
  const text = await readFile(join(releases, version, name), 'utf8');
  return text.split('\n').flatMap((line): unknown[] => (line === '' ? [] : [JSON.parse(line)]));
}
