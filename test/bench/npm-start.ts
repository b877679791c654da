import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
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
