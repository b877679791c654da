import type { CDPSession } from 'playwright-core';
import { beforeAll } from 'vitest';
import type { Mode } from '../../functions/domain/mode.ts';
import { keepAxe } from './axe.ts';
import { watchShifts } from './fit.ts';
import { usePageOnDouble } from './page-on-double.ts';

/** Like `usePageOnDouble`, for tests that open many views and look at their layout. */
export function useViewsOnDouble(mode?: Mode) {
  const on = usePageOnDouble(mode, { draws: true });
  let devtools: CDPSession;
  beforeAll(async () => {
    await on.page.clock.install();
    await watchShifts(on.page);
    await keepAxe(on.page);
    devtools = await on.page.context().newCDPSession(on.page);
    await devtools.send('Page.enable');
  });
  return { on, devtools: () => devtools };
}
