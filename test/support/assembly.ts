import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stop } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { synthesize } from '../../lib/synthesize.ts';

interface Assembly {
  readonly template: unknown;
  readonly assetDirectory: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    assembly: Assembly;
  }
}

/** Runs once; tests get the assembly with `inject('assembly')`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outdir = await mkdtemp(join(tmpdir(), 'payment-assembly-'));
  project.provide('assembly', await synthesize({ stage: 'sandbox', local: true, outdir }));
  // Its process would keep a gigabyte until the last test.
  await stop();
  return () => rm(outdir, { recursive: true, force: true });
}
