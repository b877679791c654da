import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { paymentsOf, type Payments } from '../support/payments.ts';

const port = 4860;

export interface Started {
  /** Milliseconds until it was ready. */
  readonly milliseconds: number;
  /** The ID of npm's process, which is the parent of all others. */
  readonly pid: number;
  readonly lines: AsyncIterableIterator<string>;
  readonly payments: Payments;
  readonly password: string;
  readonly practiceId: string;
  readonly endpointId: string;
  stop(): Promise<void>;
}

/** Stopping keeps a `given` data directory. */
export async function npmStart(given?: string): Promise<Started> {
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'payment-bench-')));
  const startedAt = performance.now();
  const child = spawn('npm', ['start', '--silent', '--', '--port', String(port), '--data', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (let line = await lines.next(); !line.value?.startsWith('Ready'); line = await lines.next())
    if (line.done) throw new Error('npm start ended');
  const milliseconds = performance.now() - startedAt;
  const { apiUrl, practice } = JSON.parse(await readFile(join(dataDir, 'stack.json'), 'utf8'));
  const { practiceId, endpointId, testBankCredentials } = practice;
  const { password } = testBankCredentials[0];
  return {
    milliseconds,
    pid: child.pid ?? 0,
    lines,
    payments: paymentsOf({ apiUrl, apiKey: practice.apiKey, password }),
    password,
    practiceId,
    endpointId,
    async stop() {
      const exited = once(child, 'exit');
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
      await exited;
      if (given === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The CPU time of a process and its descendants, in milliseconds. A tick is 10 ms. */
export async function usedCpu(root = process.pid): Promise<number> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(
    ids.map(async (id) => {
      const fields = (await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')).split(') ')[1]?.split(' ') ?? [];
      return { id, parent: Number(fields[1]), ticks: Number(fields[11] ?? 0) + Number(fields[12] ?? 0) };
    }),
  );
  const below = (parent: number): number =>
    all.filter((each) => each.parent === parent).reduce((sum, { id, ticks }) => sum + ticks + below(id), 0);
  return 10 * (below(root) + (all.find(({ id }) => id === root)?.ticks ?? 0));
}
