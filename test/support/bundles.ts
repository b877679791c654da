import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { stop } from 'esbuild';
import { inject } from 'vitest';
import type { Mode } from '../../functions/domain/mode.ts';
import { buildFunctions } from '../../lib/build/build.ts';

/** The functions of a mode. The first worker that asks builds them for all. */
export async function bundlesOf(mode: Mode): Promise<string> {
  const functions = join(inject('bundles'), mode);
  if (existsSync(functions)) return functions;
  if (await isFirst(`${functions}.lock`)) {
    await buildFunctions(`${functions}.new`, mode);
    await stop();
    await rename(`${functions}.new`, functions);
  }
  while (!existsSync(functions)) await wait(100);
  return functions;
}

async function isFirst(lock: string): Promise<boolean> {
  // It tells the first folder that it made, or nothing.
  return (await mkdir(lock, { recursive: true })) !== undefined;
}
