import { vi } from 'vitest';
import type { MetricName } from '../../functions/contract/metrics.ts';

/** Which of `names` the logs of `work` measure, once for each time. */
export async function measuredBy(names: readonly MetricName[], work: () => Promise<unknown>): Promise<MetricName[]> {
  vi.stubEnv('LOG_LEVEL', 'INFO');
  vi.stubEnv('METRICS_NAMESPACE', 'payments');
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await work();
    const lines = written.mock.calls.map(([line]) => JSON.parse(String(line)) as object);
    return lines.flatMap((line) => names.filter((name) => name in line));
  } finally {
    written.mockRestore();
    vi.unstubAllEnvs();
  }
}
