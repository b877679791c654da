import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stop } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { buildFunctions } from '../../lib/build/build.ts';
import { synthesize } from '../../lib/build/synthesize.ts';

interface Assembly {
  readonly template: unknown;
  readonly assetDirectory: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    assembly: Assembly;
    /** The folder of `bundles.ts`. */
    bundles: string;
    /** The folder of `requests.ts`. */
    requests: string;
    /** Whether every test file runs. */
    everything: boolean;
  }
}

/** Runs once; tests get the assembly with `inject('assembly')`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'payment-assembly-'));
  const functions = join(directory, 'sandbox');
  await buildFunctions(functions, 'sandbox');
  const outdir = join(directory, 'assembly');
  project.provide('assembly', await synthesize({ stage: 'sandbox', local: true, outdir, functions }));
  project.provide('bundles', directory);
  const requests = join(directory, 'requests');
  await mkdir(requests);
  project.provide('requests', requests);
  const { state, config } = project.vitest;
  const files = await project.vitest.globTestSpecifications();
  project.provide('everything', state.getPaths().length === files.length && config.testNamePattern === undefined);
  // Its process would keep a gigabyte until the last test.
  await stop();
  return () => rm(directory, { recursive: true, force: true });
}
