import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/assembly.ts'],
    env: { LOG_LEVEL: 'SILENT' },
    expect: { requireAssertions: true },
    pool: 'forks',
    // A local stack or a browser each keep a core busy by themselves.
    maxWorkers: 2,
    // Concurrent tests of one file share a stack and mostly wait for its sandbox bank.
    maxConcurrency: 10,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
