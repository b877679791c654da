import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { paymentsOf, type Payments } from '../support/payments.ts';

const port = 4860;

export interface Started {
  readonly milliseconds: number;
  readonly lines: AsyncIterableIterator<string>;
  readonly payments: Payments;
  readonly password: string;
  stop(): Promise<void>;
}

export async function npmStart(): Promise<Started> {
  const dataDir = await mkdtemp(join(tmpdir(), 'payment-bench-'));
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
  const { password } = practice.testBankCredentials[0];
  return {
    milliseconds,
    lines,
    payments: paymentsOf({ apiUrl, apiKey: practice.apiKey, password }),
    password,
    async stop() {
      const exited = once(child, 'exit');
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
