import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { endGroup, onEnd, startGroup } from './clone.ts';

interface SlowDown {
  readonly how: string;
  /** A command prefix that makes the command slow. */
  readonly prefix: readonly string[];
  stop(): Promise<void>;
}

/** Lets a command use this many CPUs: exactly if this process may create a control group, approximately otherwise. */
export async function slowDown(cpus: number): Promise<SlowDown> {
  return (await byControlGroup(cpus)) ?? besideLoops(cpus);
}

interface Controller {
  readonly root: string;
  readonly file: string;
  readonly limit: (cpus: number) => string;
}

/** Controllers of control groups, version 2 and 1. */
const controllers: readonly Controller[] = [
  { root: '/sys/fs/cgroup', file: 'cpu.max', limit: (cpus) => `${cpus * 100_000} 100000` },
  { root: '/sys/fs/cgroup/cpu', file: 'cpu.cfs_quota_us', limit: (cpus) => `${cpus * 100_000}` },
];

async function byControlGroup(cpus: number): Promise<SlowDown | undefined> {
  for (const { root, file, limit } of controllers) {
    const group = join(root, `payment-speed-${process.pid}`);
    const remove = () => rmdir(group).catch(() => undefined);
    try {
      await mkdir(group);
      // Opened without creating it: version 1's root is a plain folder.
      await writeFile(join(group, file), limit(cpus), { flag: 'r+' });
    } catch {
      await remove();
      continue;
    }
    const forget = onEnd(remove);
    return {
      how: `${cpus} CPUs by ${file}`,
      prefix: ['bash', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', group],
      async stop() {
        forget();
        await remove();
      },
    };
  }
  return undefined;
}

/** A suite runs about this many threads at once, and each gets as much as a loop. */
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
