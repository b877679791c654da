import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { docsName, docsPages } from './lib/docs/pages.ts';

const last = 'test/permissions/observed.test.ts';

const shared = {
  define: {
    docsNames: JSON.stringify(docsPages.map(docsName)),
    // Of the hosted page, whose live code has more to test. Functions are tested as they are bundled.
    builtForMode: JSON.stringify('live'),
  },
  test: {
    env: {
      LOG_LEVEL: 'SILENT',
      DOCS_URL: 'https://dashboard.example.com/docs',
    },
    // A second, the default, is too little on a busy machine.
    expect: { requireAssertions: true, poll: { timeout: 10_000 } },
    // A local stack or a browser each keep a core busy by themselves.
    maxWorkers: Math.min(Math.max(availableParallelism(), 2), 4),
    pool: 'forks',
    // Tests replace no modules, so files can share a process, which saves a quarter of the CPU time.
    isolate: false,
    unstubEnvs: true,
    // Concurrent tests of one file share a stack and mostly wait for its sandbox bank.
    maxConcurrency: 10,
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
} satisfies TestProjectInlineConfiguration;

export default defineConfig({
  test: {
    globalSetup: ['test/support/assembly.ts'],
    projects: [
      { ...shared, test: { ...shared.test, name: 'tests', include: ['test/**/*.test.ts'], exclude: [last] } },
      // Compares what the stacks of all other tests did.
      { ...shared, test: { ...shared.test, name: 'last', include: [last], sequence: { groupOrder: 1 } } },
    ],
  },
});
