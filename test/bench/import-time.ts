import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build as esbuild } from 'esbuild';
import { queueVariables, settingVariables, tableVariables } from '../../functions/contract/environment.ts';
import { build } from '../../lib/build/build.ts';
import { percentile, table } from './report.ts';

const rounds = 20;
/** The percentile to report: other work on the machine can only slow a load down. */
const share = 0.25;

const settings: Record<keyof typeof settingVariables, string> = {
  apiUrl: 'https://api.example.com',
  pageBucket: 'page',
  hostedPageUrl: 'https://pay.example.com',
  eventBusName: 'bus',
  sandboxOutcomeDelay: '3000',
  allowLoopbackWebhooks: 'false',
  metricsNamespace: 'bench',
  dashboardUrl: 'https://dashboard.example.com',
  docsUrl: 'https://dashboard.example.com/docs',
  oidcIssuer: 'https://issuer.example.com',
  oidcClientId: 'client',
  oidcClientSecretId: 'secret',
  userPoolId: 'us-east-1_pool',
  mailFrom: 'payments@example.com',
  evidenceBucket: 'evidence',
};

const environment = {
  PATH: process.env['PATH'] ?? '',
  AWS_REGION: 'us-east-1',
  ...Object.fromEntries(
    Object.entries(settingVariables).map(([name, variable]) => [
      variable,
      Object.entries(settings).find(([setting]) => setting === name)?.[1] ?? '',
    ]),
  ),
  ...Object.fromEntries(
    Object.values(queueVariables).map((variable) => [variable, 'https://sqs.us-east-1.amazonaws.com/1/queue']),
  ),
  ...Object.fromEntries(Object.values(tableVariables).map((variable) => [variable, 'table'])),
};

function importOnce(file: string): number {
  const script = `const start = process.hrtime.bigint(); require(${JSON.stringify(file)}); console.log(Number(process.hrtime.bigint() - start) / 1e6)`;
  return Number(execFileSync(process.execPath, ['-e', script], { env: environment, encoding: 'utf8' }));
}

export async function benchImportTime(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'payment-bench-'));
  await using built = await build('sandbox');
  const bare = join(directory, 'bare.cjs');
  const source = join(directory, 'bare.ts');
  await writeFile(
    source,
    `import { DynamoDBClient } from '@aws-sdk/client-dynamodb';\nconst client = new DynamoDBClient({});\nexport const handler = async () => client.config.serviceId;\n`,
  );
  await esbuild({
    entryPoints: [source],
    outfile: bare,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    nodePaths: [join(import.meta.dirname, '../../node_modules')],
  });
  const files = new Map([
    ['bare handler with DynamoDBClient', bare],
    ...globSync('**/index.js', { cwd: built.functions })
      .sort()
      .map((file): [string, string] => [dirname(file), join(built.functions, file)]),
  ]);
  const samples = new Map([...files.keys()].map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, file] of files) samples.get(name)?.push(importOnce(file));

  const base = percentile(samples.get('bare handler with DynamoDBClient') ?? [], share);
  const rows = await Promise.all(
    [...files].map(async ([name, file]) => {
      const time = percentile(samples.get(name) ?? [], share);
      return [
        name,
        `${((await stat(file)).size / 1024).toFixed(0)} kB`,
        `${time.toFixed(1)} ms`,
        `${(time / base).toFixed(2)} ×`,
      ];
    }),
  );
  await rm(directory, { recursive: true });
  return table(['bundle', 'minified', `import, lower quartile of ${rounds}`, 'ratio'], rows);
}
