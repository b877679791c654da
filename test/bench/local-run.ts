import { succeeded } from '../support/patient.ts';
import { npmStart, type Started } from './npm-start.ts';
import { median, percentile, table } from './report.ts';

const starts = 3;
const payments = 60;

/** Measures from authorization until the demo receiver prints the verified webhook. */
async function latencies({ lines, payments: { connect } }: Started): Promise<number[]> {
  const measured: number[] = [];
  for (let number = 0; number < payments; number += 1) {
    const invoiceId = `INV-${number}`;
    const { patient } = await connect('user_good', { invoiceId });
    const sentAt = performance.now();
    succeeded(await patient.authorize());
    for (;;) {
      const line = await lines.next();
      if (line.done) throw new Error('npm start ended');
      if (line.value.includes('session.payment.processing') && line.value.includes(`${invoiceId} `)) break;
    }
    measured.push(performance.now() - sentAt);
  }
  return measured;
}

export async function benchLocalRun(): Promise<string> {
  const ready: number[] = [];
  let measured: number[] = [];
  for (let run = 0; run < starts; run += 1) {
    const started = await npmStart();
    ready.push(started.milliseconds);
    if (run === starts - 1) measured = await latencies(started);
    await started.stop();
  }
  const warm = measured.slice(5);
  return table(
    ['local run', 'measured'],
    [
      [`\`npm start\` to ready, median of ${starts}`, `${(median(ready) / 1000).toFixed(1)} s`],
      [`authorize → webhook, p50 of ${warm.length}`, `${percentile(warm, 0.5).toFixed(0)} ms`],
      ['authorize → webhook, p95', `${percentile(warm, 0.95).toFixed(0)} ms`],
    ],
  );
}
