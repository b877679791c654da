import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StageName } from '../../lib/settings/stage.ts';
import type { Resources } from './compare.ts';

export const releases = join(import.meta.dirname, 'releases');

export async function releasedResources(version: string, stage: StageName): Promise<Resources> {
  return Object.fromEntries((await readLines(version, `${stage}.jsonl`)) as [string, Resources[string]][]);
}

export async function readLines(version: string, name: string): Promise<unknown[]> {
  const text = await readFile(join(releases, version, name), 'utf8');
  return text.split('\n').flatMap((line): unknown[] => (line === '' ? [] : [JSON.parse(line)]));
}
