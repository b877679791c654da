import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../../lib/build/synthesize.ts';
import { startDynamoDb } from '../../lib/local/dynoxide.ts';
import { readStack } from '../../lib/local/template.ts';
import { createTablesAt } from '../support/tables.ts';

/** Keeps them in a file, as a local run does. */
export async function startBenchTables() {
  const directory = await mkdtemp(join(tmpdir(), 'payment-bench-'));
  const { template } = await synthesize({ stage: 'sandbox', local: true, outdir: join(directory, 'assembly') });
  const dynamo = await startDynamoDb(directory);
  return {
    ...(await createTablesAt(dynamo.endpoint, readStack(template, { queueUrl: () => '', hosts: new Map() }))),
    async stop() {
      await dynamo.stop();
      await rm(directory, { recursive: true });
    },
  };
}
