import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/assembly.ts',
    // A stack starts in a few seconds; a payment takes the sandbox bank three.
    testTimeout: 20_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    expect: { requireAssertions: true },
  },
});
