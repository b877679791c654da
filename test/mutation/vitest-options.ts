import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { endLastingWorker, lastingPool } from './lasting-worker.ts';

const store = '/functions/store/';

export default defineConfig({
  plugins: [
    {
      name: 'empty-conditions',
      enforce: 'pre',
      resolveId: (source, importer) =>
        source.endsWith('/expressions.ts') && importer?.includes(store)
          ? join(import.meta.dirname, 'loose-expressions.ts')
          : undefined,
    },
    {
      name: 'lasting-worker',
      // Stryker's own pool setting would replace one in this file.
      configureVitest({ project, vitest }) {
        Object.assign(project.config, { pool: lastingPool.name, poolRunner: lastingPool });
        vitest.onClose(endLastingWorker);
      },
    },
  ],
  define: { builtForMode: JSON.stringify('live') },
  test: {
    // Those that call functions directly, on a local database. A whole stack or a browser takes too long.
    include: ['test/{domain,store,payments,sessions,webhooks,processors,practices,team,sweep}/**/*.test.ts'],
    globalSetup: ['test/support/shared-folders.ts', 'test/mutation/kept-build.ts'],
    setupFiles: ['test/mutation/without-last-fault.ts'],
    env: { LOG_LEVEL: 'SILENT', DOCS_URL: 'https://dashboard.example.com/docs' },
    expect: { poll: { timeout: 40_000 } },
    isolate: false,
    unstubEnvs: true,
    // Catches a fault that hangs. Builds have no such limit.
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
