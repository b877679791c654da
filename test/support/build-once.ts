import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { BuiltName } from './build.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, 'build.ts');
// Otherwise, esbuild spends a third of its time collecting garbage.
export const quickEsbuild = { GOGC: 'off', GOMEMLIMIT: '1GiB' };
// Otherwise, on busy cores, V8's garbage collection threads take as long as CDK itself: they mostly wait for each other.
export const quickCdk = ['--single-threaded-gc', '--max-semi-space-size=64'];

/**
 * Builds what does not exist yet, in the order of `names`, in a separate process: esbuild and CDK take a gigabyte. One
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
      await run(process.execPath, [...quickCdk, script, directory, ...names], {
        env: { ...process.env, ...quickEsbuild },
        signal,
      });
    } finally {
      // If the build failed, the next test that needs it reports the reason too.
      await rmdir(lock);
    }
  }
}

async function isFirst(lock: string): Promise<boolean> {
  // mkdir returns the first folder that it made, or undefined.
  return (await mkdir(lock, { recursive: true })) !== undefined;
}
