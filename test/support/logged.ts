import { vi } from 'vitest';
import type { MetricName } from '../../functions/contract/metrics.ts';

/** What `work` logs in production, line by line. */
export async function loggedBy(work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  vi.stubEnv('LOG_LEVEL', 'INFO');
  vi.stubEnv('METRICS_NAMESPACE', 'PatientInvoicePaymentProduction');
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await work();
    return written.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
  } finally {
    written.mockRestore();
    vi.unstubAllEnvs();
  }
}

/** Which of `names` are measured in the logs of `work`, listed once per measurement. */
export async function measuredBy(names: readonly MetricName[], work: () => Promise<unknown>): Promise<MetricName[]> {
  return (await loggedBy(work)).flatMap((line) => names.filter((name) => name in line));
}
