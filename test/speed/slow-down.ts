import { constants } from 'node:fs';
import { access, mkdir, rmdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { endGroup, onEnd, startGroup } from './clone.ts';

interface SlowDown {
  readonly how: string;
  /** Put before a command, it makes that command slow. */
  readonly prefix: readonly string[];
  stop(): Promise<void>;
}

/** Lets a command use this many CPUs, exactly if this process may create a control group, else about. */
export async function slowDown(cpus: number): Promise<SlowDown> {
  return (await byControlGroup(cpus)) ?? besideLoops(cpus);
}

const root = '/sys/fs/cgroup';

async function byControlGroup(cpus: number): Promise<SlowDown | undefined> {
  const group = join(root, `payment-speed-${process.pid}`);
  const remove = () => rmdir(group).catch(() => undefined);
  try {
    await access(join(root, 'cgroup.controllers'), constants.R_OK);
    await mkdir(group);
    await writeFile(join(group, 'cpu.max'), `${cpus * 100_000} 100000`);
  } catch {
    await remove();
    return undefined;
  }
  const forget = onEnd(remove);
  return {
    how: `${cpus} CPUs by cpu.max`,
    prefix: ['bash', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', group],
    async stop() {
      forget();
      await remove();
    },
  };
}

/** A suite runs about this many threads at once, and each thread gets as much as a loop. */
const threads = 3;

/** The suite shares one CPU, or all of them, with endless loops. */
function besideLoops(cpus: number): SlowDown {
  const canPin = spawnSync('taskset', ['--version']).status === 0;
  const pin = canPin ? ['taskset', '-c', '0'] : [];
  const shared = canPin ? 1 : availableParallelism();
  const count = Math.ceil(threads * Math.max(1, shared / cpus - 1));
  const loop = [...pin, process.execPath, '-e', 'for (;;);'];
  const loops = Array.from({ length: count }, () => startGroup(loop, { stdio: 'ignore' }));
  return {
    how: `${canPin ? 'one CPU' : 'all CPUs'} shared with ${count} endless loops`,
    prefix: pin,
    stop: async () => void (await Promise.all(loops.map((each) => endGroup(each)))),
  };
}
