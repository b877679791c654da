import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onEnd } from './process-group.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** A clone of the last commit, with links to this folder's packages. */
export async function cloneHead() {
  const parent = await mkdtemp(join(tmpdir(), 'payment-speed-'));
  const directory = join(parent, 'clone');
  const forget = onEnd(() => rm(parent, { recursive: true, force: true }));
  await run('git', ['clone', '--quiet', root, directory]);
  const [from, to] = [join(root, 'node_modules'), join(directory, 'node_modules')];
  await run('cp', ['-al', from, to]).catch(async () => {
    // Another disk, or a `cp` that cannot link.
    await rm(to, { recursive: true, force: true });
    await run('cp', ['-RP', from, to]);
  });
  // Vitest would write into files that all share.
  for (const cache of ['.vite', '.vite-temp', '.vitest-cache'])
    await rm(join(to, cache), { recursive: true, force: true });
  return {
    directory,
    async remove() {
      forget();
      await rm(parent, { recursive: true, force: true });
    },
  };
}
