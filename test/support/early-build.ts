import type { TestProject } from 'vitest/node';
import { appNames } from './apps.ts';
import { buildOnce } from './build-once.ts';

/** Global setup, after `shared-folders.ts`: builds what tests share while the files without a stack run. */
export default function setup(project: TestProject): (() => Promise<void>) | undefined {
  const { built, everything } = project.getProvidedContext();
  if (!everything) return undefined;
  const ended = new AbortController();
  // In the order in which they are needed. If a build fails, the file that needs it reports why.
  const building = buildOnce(
    built,
    [
      'sandbox',
      'assembly',
      'live',
      'live-assembly',
      'deployed-sandbox',
      'deployed-production',
      ...appNames,
      'app-by-command',
    ],
    ended.signal,
  ).catch(() => {});
  return async () => {
    ended.abort();
    await building;
  };
}
