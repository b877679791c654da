import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const script = join(import.meta.dirname, 'build.ts');

/** The first process that asks builds for all, in a process of its own: esbuild and CDK take a gigabyte. */
export async function buildOnce(
  directory: string,
  name: string,
  [...inputs]: readonly string[],
  signal?: AbortSignal,
): Promise<string> {
  const folder = join(directory, name);
  while (!existsSync(folder)) {
    if (!(await isFirst(`${folder}.lock`))) {
      await wait(100, undefined, { signal });
      continue;
    }
    try {
      if (existsSync(folder)) return folder;
      await run(process.execPath, [script, `${folder}.new`, ...inputs], { signal });
      await rename(`${folder}.new`, folder);
    } finally {
      // If it failed, the next test that asks tells the reason too.
      await rmdir(`${folder}.lock`);
    }
  }
  return folder;
}

async function isFirst(lock: string): Promise<boolean> {
  // It tells the first folder that it made, or nothing.
  return (await mkdir(lock, { recursive: true })) !== undefined;
}
