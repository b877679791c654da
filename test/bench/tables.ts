import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../../lib/build/synthesize.ts';
import { startTables, type Tables } from '../support/tables.ts';

/** Keeps them in a file, as a local run does. */
export async function startBenchTables(): Promise<Tables> {
  const directory = await mkdtemp(join(tmpdir(), 'payment-bench-'));
  const { template } = await synthesize({ stage: 'sandbox', local: true, outdir: join(directory, 'assembly') });
  const tables = await startTables(template, directory);
  return {
    ...tables,
    async stop() {
      await tables.stop();
      await rm(directory, { recursive: true });
    },
  };
}
