import { succeeded } from '../support/patient.ts';
import { npmStart, type Started } from './npm-start.ts';
import { median, percentile, table } from './report.ts';

const starts = 3;
const payments = 60;

/** Measures from the call until the demo receiver prints the verified webhook. The first calls are left out. */
async function latencies(
  { lines }: Started,
  type: string,
  prepare: (invoiceId: string) => Promise<() => Promise<unknown>>,
): Promise<number[]> {
  const measured: number[] = [];
  for (let number = 0; number < payments; number += 1) {
    const invoiceId = `INV-${type}-${number}-${Date.now()}`;
    const call = await prepare(invoiceId);
    const sentAt = performance.now();
    const called = call();
    for (;;) {
      const line = await lines.next();
      if (line.done) throw new Error('npm start ended');
      if (line.value.includes(`${type} `) && line.value.includes(`${invoiceId} `)) break;
    }
    measured.push(performance.now() - sentAt);
    await called;
  }
  return measured.slice(5);
}

export function authorizations(started: Started): Promise<number[]> {
  return latencies(started, 'session.payment.processing', async (invoiceId) => {
    const { patient } = await started.payments.connect('user_good', { invoiceId });
    return async () => succeeded(await patient.authorize());
  });
}

function simulations(started: Started): Promise<number[]> {
  const { client, createSession } = started.payments;
  return latencies(started, 'session.payment.succeeded', async (invoiceId) => {
    const { sessionId } = await createSession({ invoiceId });
    return () => client.sandbox.simulate(sessionId, 'user_good');
  });
}

function shares(what: string, measured: readonly number[]): string[][] {
  return [
    [`${what}, p50 of ${measured.length}`, `${percentile(measured, 0.5).toFixed(0)} ms`],
    [`${what}, p95`, `${percentile(measured, 0.95).toFixed(0)} ms`],
  ];
}

export async function benchLocalRun(): Promise<string> {
  const ready: number[] = [];
  let authorized: number[] = [];
  let simulated: number[] = [];
  for (let run = 0; run < starts; run += 1) {
    const started = await npmStart();
    ready.push(started.milliseconds);
    if (run === starts - 1) {
      authorized = await authorizations(started);
      simulated = await simulations(started);
    }
    await started.stop();
  }
  return table(
    ['local run', 'measured'],
    [
      [`\`npm start\` to ready, median of ${starts}`, `${(median(ready) / 1000).toFixed(1)} s`],
      ...shares('authorize → webhook', authorized),
      ...shares("simulate → the outcome's webhook", simulated),
    ],
  );
}
