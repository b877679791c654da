import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';

const groups = new Set<ChildProcess>();
const endings = new Set<() => Promise<void>>();

/** Whatever the process starts ends with `endGroup`, unless it leaves the group. */
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
    // All of it has ended.
  }
  await ended;
}

/** The answer takes it back. */
export function onEnd(end: () => Promise<void>): () => void {
  endings.add(end);
  return () => void endings.delete(end);
}

export async function endEverything(): Promise<void> {
  await Promise.all([...groups].map((leader) => endGroup(leader)));
  for (const end of endings) await end();
}
