import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import type { Mode } from '../../functions/domain/mode.ts';
import type { synthesize } from '../../lib/build/synthesize.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, 'build.ts');

type Assembly = Awaited<ReturnType<typeof synthesize>>;

/** The folder of a mode's functions. */
export async function bundlesOf(mode: Mode): Promise<string> {
  return buildOnce(mode, ['functions', mode]);
}

/** The local sandbox, as `npm start` runs it. */
export async function sandboxAssembly(): Promise<Assembly> {
  const assetDirectory = await buildOnce('assembly', ['assembly', await bundlesOf('sandbox')]);
  const template: unknown = JSON.parse(await readFile(join(assetDirectory, 'template.json'), 'utf8'));
  return { template, assetDirectory };
}

/** The first worker that asks builds for all, in a process of its own: esbuild and CDK take a gigabyte. */
async function buildOnce(name: string, [...inputs]: readonly string[]): Promise<string> {
  const folder = join(inject('built'), name);
  while (!existsSync(folder)) {
    if (!(await isFirst(`${folder}.lock`))) {
      await wait(100);
      continue;
    }
    try {
      if (existsSync(folder)) return folder;
      await run(process.execPath, [script, `${folder}.new`, ...inputs]);
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
