import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

export interface StackOptions {
  readonly stage: 'sandbox' | 'production';
  readonly port: number;
  readonly dataDir: string;
  /** Sandbox only. */
  readonly platform?: boolean;
}

export interface StackProcess {
  /** Resolves to true once it answers, and to false if it ends before that. */
  readonly ready: Promise<boolean>;
  /** Ends it and every process below it, with SIGKILL. */
  kill(): Promise<void>;
}

export const logName = 'output.log';
const program = resolve(import.meta.dirname, '../../bin/local.ts');

/** What `npm start` runs. Its output goes to a file in the data directory. */
export function startStack({ stage, port, dataDir, platform = false }: StackOptions): StackProcess {
  const log = openSync(join(dataDir, logName), 'a');
  const more = platform ? ['--platform'] : [];
  const child = spawn(
    process.execPath,
    [program, '--stage', stage, '--port', String(port), '--data', dataDir, ...more],
    {
      stdio: ['ignore', 'pipe', log],
    },
  );
  const { pid, stdout } = child;
  if (pid === undefined || stdout === null) throw new Error('the stack could not be started');
  const ended = once(child, 'exit');
  const ready = Promise.withResolvers<boolean>();
  createInterface({ input: stdout })
    .on('line', (line) => line.startsWith('Ready') && ready.resolve(true))
    .once('close', () => ready.resolve(false));
  return {
    ready: ready.promise,
    async kill() {
      for (const each of treeOf(pid)) signal(each);
      await ended;
    },
  };
}

/** A stack that is killed and restarted on the same data, again and again. */
export function mortalStack(options: StackOptions) {
  let current: StackProcess | undefined;
  /** Milliseconds until it was ready, for each start. */
  const starts: number[] = [];
  const kill = async () => current?.kill();
  return {
    starts,
    kill,
    async start(): Promise<void> {
      const at = performance.now();
      current = startStack(options);
      if (!(await current.ready)) throw new Error(`the stack did not start: see ${join(options.dataDir, logName)}`);
      starts.push(performance.now() - at);
    },
    async killWhileStarting(milliseconds: number): Promise<void> {
      current = startStack(options);
      await wait(milliseconds);
      await kill();
    },
  };
}

/** Lists the process first, so that it cannot start others in the meantime. */
function treeOf(root: number): number[] {
  const lines = execFileSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const all = lines.map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] => all.flatMap(([id = 0, of]) => (of === parent ? [id, ...below(id)] : []));
  return [root, ...below(root)];
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
