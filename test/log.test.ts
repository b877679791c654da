import { describe, expect, it } from 'vitest';
import { metrics, type Measurement } from '../functions/contract/metrics.ts';
import { Fault } from '../functions/domain/fault.ts';
import { logsItsFaults, embeddedMetrics } from '../functions/log.ts';

describe('a metric in a log line', () => {
  it('is where CloudWatch looks for it, in total and by its dimension', () => {
    expect(
      embeddedMetrics(
        [
          { metric: 'WebhookAttempts', value: 1, by: 'delivered' },
          { metric: 'CommitToPost', value: 87 },
        ],
        'SomeStack',
        1_795_000_000_000,
      ),
    ).toEqual({
      _aws: {
        Timestamp: 1_795_000_000_000,
        CloudWatchMetrics: [
          {
            Namespace: 'SomeStack',
            Dimensions: [[], ['Outcome']],
            Metrics: [{ Name: 'WebhookAttempts', Unit: 'Count' }],
          },
          { Namespace: 'SomeStack', Dimensions: [[]], Metrics: [{ Name: 'CommitToPost', Unit: 'Milliseconds' }] },
        ],
      },
      WebhookAttempts: 1,
      Outcome: 'delivered',
      CommitToPost: 87,
    });
  });

  it('has no dimension that could identify a session, an event, a practice or a person', () => {
    const dimensions = Object.values(metrics).flatMap((metric) => ('dimension' in metric ? [metric.dimension] : []));
    expect([...new Set(dimensions)].sort()).toEqual([
      'Difference',
      'Duty',
      'FunctionName',
      'Kind',
      'Outcome',
      'Reason',
    ]);
    // @ts-expect-error a dimension has a fixed set of values
    const measured: Measurement = { metric: 'Sessions', value: 1, by: 'ses_01KAG3ZQ8M0000000000000001' };
    expect(measured.metric).toBe('Sessions');
  });
});

describe('a handler that logs its faults', () => {
  const row = { patient: { lastName: 'Okafor' } };

  it('throws no error that quotes data, because Lambda would log it', async () => {
    const refused = Object.assign(new Error('Okafor cannot be parsed'), { CancellationReasons: [{ Item: row }] });
    const fault: unknown = await logsItsFaults(() => Promise.reject(refused))(undefined).catch(
      (error: unknown) => error,
    );
    expect(fault).toBeInstanceOf(Fault);
    expect(
      JSON.stringify({ ...(fault as Error), message: (fault as Error).message, cause: (fault as Error).cause }),
    ).not.toContain('Okafor');
  });

  it('throws a Fault unchanged, and returns what the handler returns', async () => {
    const ours = new Fault('three due rows failed');
    await expect(logsItsFaults(() => Promise.reject(ours))(undefined)).rejects.toBe(ours);
    await expect(logsItsFaults(async (input: number) => input + 1)(1)).resolves.toBe(2);
  });
});
