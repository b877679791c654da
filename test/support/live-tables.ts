import { afterAll } from 'vitest';
import { liveAssembly } from './built.ts';
import { startTables, type Tables } from './tables.ts';

/** Production's tables. Call this at the top level of a test file. */
export async function startLiveTables(): Promise<Tables> {
  const tables = await startTables((await liveAssembly()).template);
  afterAll(() => tables.stop());
  return tables;
}
