import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { median, percentile, table } from './report.ts';

const starts = 3;
const payments = 60;
const port = 4700;

interface Started {
  readonly milliseconds: number;
  readonly lines: AsyncIterableIterator<string>;
  readonly dataDir: string;
  stop(): Promise<void>;
}

/** Runs `npm start` as its user would, until it says that it is ready. */
async function start(): Promise<Started> {
  const dataDir = await mkdtemp(join(tmpdir(), 'payment-bench-'));
  const startedAt = performance.now();
  const child = spawn('npm', ['start', '--silent', '--', '--port', String(port), '--data', dataDir], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (let line = await lines.next(); !line.value?.startsWith('Ready'); line = await lines.next()) if (line.done) throw new Error('npm start ended');
  const milliseconds = performance.now() - startedAt;
  return {
    milliseconds,
    lines,
    dataDir,
    async stop() {
      const exited = once(child, 'exit');
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Milliseconds from sending the patient's authorisation to the verified webhook being printed by the demo receiver. */
async function latencies({ lines, dataDir }: Started): Promise<number[]> {
  const { apiUrl, practice } = JSON.parse(await readFile(join(dataDir, 'stack.json'), 'utf8'));
  const json = { 'content-type': 'application/json' };
  const measured: number[] = [];
  for (let number = 0; number < payments; number += 1) {
    const invoiceId = `INV-${number}`;
    const created = await fetch(`${apiUrl}/api/practice/sessions`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${practice.apiKey}` },
      body: JSON.stringify({ invoiceId, amountCents: 100, patient: { firstName: 'Ada', lastName: 'Okafor' } }),
    });
    const { hostedUrl } = await created.json();
    const [origin = '', token = ''] = hostedUrl.split('/s/');
    const post = async (path: string, body: object) => {
      const response = await fetch(`${origin}/api/patient/session/${path}`, { method: 'POST', headers: { ...json, authorization: `Bearer ${token}` }, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${path} answered ${response.status}`);
      return response.json();
    };
    const { authorization } = await post('bank-connection', { username: 'user_good', password: practice.testBankCredentials[0].password });
    const sentAt = performance.now();
    await post('payment', { authorizationAccepted: true, authorizationId: authorization.id });
    for (;;) {
      const line = await lines.next();
      if (line.done) throw new Error('npm start ended');
      if (line.value.includes('session.payment.processing') && line.value.includes(`${invoiceId} `)) break;
    }
    measured.push(performance.now() - sentAt);
  }
  return measured;
}

/** Time from `npm start` to ready, and from the authorisation to the webhook, on this machine. */
export async function benchLocalRun(): Promise<string> {
  const ready: number[] = [];
  let measured: number[] = [];
  for (let run = 0; run < starts; run += 1) {
    const started = await start();
    ready.push(started.milliseconds);
    if (run === starts - 1) measured = await latencies(started);
    await started.stop();
  }
  const warm = measured.slice(5);
  return table(
    ['local run', 'measured'],
    [
      [`\`npm start\` to ready, median of ${starts}`, `${(median(ready) / 1000).toFixed(1)} s`],
      [`authorise → webhook, p50 of ${warm.length}`, `${percentile(warm, 0.5).toFixed(0)} ms`],
      ['authorise → webhook, p95', `${percentile(warm, 0.95).toFixed(0)} ms`],
    ],
  );
}
