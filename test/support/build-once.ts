import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { BuiltName } from './build.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, 'build.ts');
// esbuild otherwise spends a third of its time on collecting garbage.
const env = { ...process.env, GOGC: 'off', GOMEMLIMIT: '1GiB' };

/**
 * Builds what is not there yet, in the order of `names`, in a process of its own: esbuild and CDK take a gigabyte. One
 * process builds at a time, because CDK's start takes longer than a template.
 */
export async function buildOnce(directory: string, names: readonly BuiltName[], signal?: AbortSignal): Promise<void> {
  const lock = join(directory, 'lock');
  while (!names.every((name) => existsSync(join(directory, name)))) {
    if (!(await isFirst(lock))) {
      await wait(100, undefined, { signal });
      continue;
    }
    try {
      await run(process.execPath, [script, directory, ...names], { env, signal });
    } finally {
      // If it failed, the next test that asks tells the reason too.
      await rmdir(lock);
    }
  }
}

async function isFirst(lock: string): Promise<boolean> {
  // It tells the first folder that it made, or nothing.
  return (await mkdir(lock, { recursive: true })) !== undefined;
}
