import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const store = '/functions/store/';

export default defineConfig({
  plugins: [
    {
      name: 'empty-conditions',
      enforce: 'pre',
      resolveId: (source, importer) =>
        source === './expressions.ts' && importer?.includes(store)
          ? join(import.meta.dirname, 'loose-expressions.ts')
          : undefined,
    },
  ],
  define: { builtForMode: JSON.stringify('live') },
  test: {
    // Those that call functions directly, on a local database. A whole stack or a browser takes too long.
    include: [
      'test/{domain,store,payments,sessions,webhooks,processors,practices,dashboard,leaving,sweep}/**/*.test.ts',
    ],
    globalSetup: ['test/support/assembly.ts'],
    env: { LOG_LEVEL: 'SILENT', DOCS_URL: 'https://dashboard.example.com/docs' },
    expect: { poll: { timeout: 10_000 } },
    isolate: false,
    unstubEnvs: true,
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
});
