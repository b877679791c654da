import type { TestProject } from 'vitest/node';
import { buildOnce } from './build-once.ts';

/** Global setup, after `shared-folders.ts`: builds what most files need while the files without a stack run. */
export default function setup(project: TestProject): (() => Promise<void>) | undefined {
  const { built, everything } = project.getProvidedContext();
  if (!everything) return undefined;
  const ended = new AbortController();
  // The file that needs what could not be built tells why.
  const building = buildAll(built, ended.signal).catch(() => {});
  return async () => {
    ended.abort();
    await building;
  };
}

async function buildAll(built: string, signal: AbortSignal): Promise<void> {
  const functions = await buildOnce(built, 'sandbox', ['functions', 'sandbox'], signal);
  await buildOnce(built, 'assembly', ['local', 'sandbox', functions], signal);
  const live = await buildOnce(built, 'live', ['functions', 'live'], signal);
  await buildOnce(built, 'live-assembly', ['local', 'production', live], signal);
}
