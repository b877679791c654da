import { afterAll, inject } from 'vitest';
import { startTables, type Tables } from './tables.ts';

/** Starts the tables of the local template for one test file, and stops them after it. Call at the file's top level. */
export async function startTestTables(): Promise<Tables> {
  const tables = await startTables(inject('assembly').template);
  afterAll(() => tables.stop());
  return tables;
}
