import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildOnce } from './build-once.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of `built.ts`. */
    built: string;
    /** The folder of `requests.ts`. */
    requests: string;
    /** Whether every test file runs. */
    everything: boolean;
  }
}

/** Global setup: folders that all workers share. Builds what most files need while the files without a stack run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'payment-tests-'));
  // What tests start compiles the same files again and again.
  process.env['NODE_COMPILE_CACHE'] = join(directory, 'compiled');
  const [built, requests] = [join(directory, 'built'), join(directory, 'requests')];
  await Promise.all([built, requests].map((folder) => mkdir(folder)));
  project.provide('built', built);
  project.provide('requests', requests);
  const { state, config } = project.vitest;
  const files = await project.vitest.globTestSpecifications();
  const everything = state.getPaths().length === files.length && config.testNamePattern === undefined;
  project.provide('everything', everything);
  const ended = new AbortController();
  // The file that needs what could not be built tells why.
  const building = everything ? buildAll(built, ended.signal).catch(() => {}) : undefined;
  return async () => {
    ended.abort();
    await building;
    // Processes that end write what they compiled.
    await rm(directory, { recursive: true, force: true, maxRetries: 20 });
  };
}

async function buildAll(built: string, signal: AbortSignal): Promise<void> {
  const functions = await buildOnce(built, 'sandbox', ['functions', 'sandbox'], signal);
  await buildOnce(built, 'assembly', ['local', 'sandbox', functions], signal);
  const live = await buildOnce(built, 'live', ['functions', 'live'], signal);
  await buildOnce(built, 'live-assembly', ['local', 'production', live], signal);
}
