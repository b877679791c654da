import { test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { startSharedStack } from './local-stack.ts';

let practices = 0;

/**
 * For files that need a stack, and can share one with the other files of their worker. A file that breaks, restarts or counts a
 * whole stack starts its own.
 */
export const onStack = test
  .extend('stack', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const stack = await startSharedStack();
    onCleanup(() => stack.stop());
    return stack;
  })
  .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    // A test's page does not live long enough for optimizing its script to pay off.
    const browser = await launchBrowser({ flags: ['--js-flags=--no-opt,--no-maglev'] });
    onCleanup(() => browser.close());
    return browser;
  })
  // This file's own practice.
  .extend('own', { scope: 'file' }, ({ stack }) => stack.openPractice(`practice-${(practices += 1)}.example`));
