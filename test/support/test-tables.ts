import { afterAll, inject } from 'vitest';
import { startTables, type Tables } from './tables.ts';

/** Call this at the top level of a test file. */
export async function startTestTables(): Promise<Tables> {
  const tables = await startTables(inject('assembly').template);
  afterAll(() => tables.stop());
  return tables;
}
