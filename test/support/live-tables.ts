import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { afterAll } from 'vitest';
import { Data } from '../../lib/constructs/data.ts';
import { startTables, type Tables } from './tables.ts';

/** Production's tables. Call this at the top level of a test file. */
export async function startLiveTables(): Promise<Tables> {
  const outdir = await mkdtemp(join(tmpdir(), 'live-tables-'));
  // Validation takes as long as most of the files that call this.
  const app = new App({ outdir, analyticsReporting: false, builtinCloudFormationValidation: false });
  const stack = new Stack(app, 'Live', { env: { region: 'us-east-1' } });
  const data = new Data(stack, 'Data', { mode: 'live' });
  const names = Object.fromEntries(Object.entries(data.tables).map(([name, { tableName }]) => [name, tableName]));
  new CfnOutput(stack, 'OperatorSettings', { value: stack.toJsonString({ tables: names }) });
  const { template } = app.synth().getStackByName('Live');
  const tables = await startTables(template);
  afterAll(async () => {
    await tables.stop();
    await rm(outdir, { recursive: true, force: true });
  });
  return tables;
}
