import { execFile, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { once } from 'node:events';

const groups = new Set<ChildProcess>();
const endings = new Set<() => Promise<void>>();

/** Starts a process in a group: `endGroup` ends everything that it starts, unless that leaves the group. */
export function startGroup([command = '', ...args]: readonly string[], options: SpawnOptions): ChildProcess {
  const leader = spawn(command, args, { ...options, detached: true });
  groups.add(leader);
  return leader;
}

export async function endGroup(leader: ChildProcess): Promise<void> {
  groups.delete(leader);
  const isRunning = leader.exitCode === null && leader.signalCode === null;
  const ended = isRunning ? once(leader, 'exit') : undefined;
  try {
    if (leader.pid !== undefined) process.kill(-leader.pid, 'SIGKILL');
  } catch {
    // The whole group has ended.
  }
  await ended;
}

/** Returns a function that takes it back. */
export function onEnd(end: () => Promise<void>): () => void {
  endings.add(end);
  return () => void endings.delete(end);
}

export async function endEverything(): Promise<void> {
  await Promise.all([...groups].map((leader) => endGroup(leader)));
  for (const end of endings) await end();
}

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** A clone of the last commit that links to this folder's packages. */
export async function cloneHead() {
  const parent = await mkdtemp(join(tmpdir(), 'payment-speed-'));
  const directory = join(parent, 'clone');
  const forget = onEnd(() => rm(parent, { recursive: true, force: true }));
  await run('git', ['clone', '--quiet', root, directory]);
  const [from, to] = [join(root, 'node_modules'), join(directory, 'node_modules')];
  await run('cp', ['-al', from, to]).catch(async () => {
    // A different disk, or a `cp` that cannot link.
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
