import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { dashboardPaths } from './lib/build/routes.ts';
import { docsName, docsPages } from './lib/docs/pages.ts';
import { noBrowser } from './test/support/browser-path.ts';
import { patience } from './test/support/until.ts';

const last = 'test/permissions/observed.test.ts';
// Their fake time must not reach the timers of a stack: they get a process without one.
const inFakeTime = 'test/web/page-*.test.ts';
// They run before the others, because projects run by name: meanwhile, the bundles of the stacks are built.
const withoutStack = 'test/{client,contract,http,local}/**/*.test.ts';

const shared = {
  define: {
    dashboardPaths: JSON.stringify(dashboardPaths()),
    docsNames: JSON.stringify(docsPages.map(docsName)),
    // Of the hosted page, whose live code has more to test. Functions are tested as they are bundled.
    builtForMode: JSON.stringify('live'),
  },
  test: {
    // A file has the tag with a comment: `@module-tag browser`.
    tags: [{ name: 'browser', description: 'needs a Chromium', skip: noBrowser !== undefined }],
    env: {
      LOG_LEVEL: 'SILENT',
      DOCS_URL: 'https://dashboard.example.com/docs',
    },
    expect: { requireAssertions: true, poll: { timeout: patience } },
    // Tests wait as much as they work. A worker grows to 3 GB.
    maxWorkers: Math.min(Math.max(availableParallelism() + 1, 3), 4),
    pool: 'forks',
    // Tests replace no modules, so files can share a process, which saves a quarter of the CPU time.
    isolate: false,
    unstubEnvs: true,
    // Concurrent tests of one file share a stack and mostly wait for its sandbox bank.
    maxConcurrency: 10,
    // They only end what hangs, also on a machine that is many times slower. No test or hook has limits of its own.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
} satisfies TestProjectInlineConfiguration;

export default defineConfig({
  test: {
    teardownTimeout: 300_000,
    globalSetup: [
      'test/support/shared-folders.ts',
      'test/support/early-build.ts',
      'test/support/browser-path.ts',
      'test/support/python.ts',
    ],
    projects: [
      {
        ...shared,
        test: {
          ...shared.test,
          name: 'tests',
          include: ['test/**/*.test.ts'],
          exclude: [last, inFakeTime, withoutStack],
        },
      },
      { ...shared, test: { ...shared.test, name: 'no stack', include: [withoutStack] } },
      { ...shared, test: { ...shared.test, name: 'fake time', include: [inFakeTime], isolate: true } },
      // Compares what the stacks of all other tests did.
      { ...shared, test: { ...shared.test, name: 'last', include: [last], sequence: { groupOrder: 1 } } },
    ],
  },
});
