import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

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

/** Global setup: folders that all workers share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'payment-tests-'));
  // The processes that tests start compile the same files again and again.
  process.env['NODE_COMPILE_CACHE'] = join(directory, 'compiled');
  const [built, requests] = [join(directory, 'built'), join(directory, 'requests')];
  await Promise.all([built, requests].map((folder) => mkdir(folder)));
  project.provide('built', built);
  project.provide('requests', requests);
  const { state, config } = project.vitest;
  const files = await project.vitest.globTestSpecifications();
  project.provide('everything', state.getPaths().length === files.length && config.testNamePattern === undefined);
  // Processes that end write what they have compiled.
  return () => rm(directory, { recursive: true, force: true, maxRetries: 20 });
}
