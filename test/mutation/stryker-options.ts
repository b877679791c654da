import { join } from 'node:path';

/** Options for `npm run mutate`. `-- --mutate functions/store/sessions/transitions.ts` takes one file; `--concurrency 1` leaves a core free. */
export default {
  testRunner: 'vitest',
  // Stryker would rewrite it with TypeScript's JavaScript API, which TypeScript 7 does not have.
  tsconfigFile: 'none',
  plugins: ['@stryker-mutator/vitest-runner', join(import.meta.dirname, 'without-meaning.ts')],
  vitest: { configFile: 'test/mutation/vitest-options.ts', related: false },
  mutate: ['functions/{domain,store,payments,sessions,webhooks}/**/*.ts'],
  mutator: {
    // tsc refuses nearly all of these.
    excludedMutations: ['ObjectLiteral', 'ArrowFunction'],
  },
  ignorers: ['without-meaning'],
  // A mutant of a module's constants would run every test.
  ignoreStatic: true,
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // For a mutant that finishes slowly, even on a busy machine. Endless loops are found by counting.
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 60,
  incremental: true,
  incrementalFile: '.cache/stryker/incremental.json',
  tempDirName: '.cache/stryker/sandboxes',
  ignorePatterns: ['.cache', '.local*', '.screenshots', 'cdk.out'],
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: '.cache/stryker/report.json' },
  clearTextReporter: { allowColor: false, logTests: false, allowEmojis: false },
  allowConsoleColors: false,
};
