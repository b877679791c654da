import { afterAll } from 'vitest';
import { sandboxAssembly } from './built.ts';
import { startTables, type Tables } from './tables.ts';

/** Call this at the top level of a test file. */
export async function startTestTables(): Promise<Tables> {
  const tables = await startTables((await sandboxAssembly()).template);
  afterAll(() => tables.stop());
  return tables;
}
