import { test } from 'vitest';
import { startSharedLiveStack } from './live-stack.ts';

let practices = 0;

/**
 * As `onStack`, with the production stage. A file that restores a stack or settles its charges otherwise starts its own.
 * Not an extension of `onStack`, which would start another of its browsers.
 */
export const onLiveStack = test
  .extend('live', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const live = await startSharedLiveStack();
    onCleanup(() => live.stop());
    return live;
  })
  // A practice of the file's own, with an account at Stripe.
  .extend('ownLive', { scope: 'file' }, ({ live }) => live.openPractice(`live-practice-${(practices += 1)}.example`));
