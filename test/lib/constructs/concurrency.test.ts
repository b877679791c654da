import { expect, test } from 'vitest';
import { reservedConcurrency, reserveOf } from '../../../lib/constructs/queues.ts';
import { appTemplate } from '../../support/built.ts';
import { at, stages, target, type Resource } from '../stacks.ts';

/** Most accounts' quota. New accounts start with 10. */
const quota = 1_000;

test.each(stages)(
  'the queues of the $stage stack take at most a tenth of an account together',
  ({ all, functions }) => {
    const most = all('AWS::Lambda::EventSourceMapping').flatMap(({ Properties }) => {
      const maximum = at(Properties, 'ScalingConfig', 'MaximumConcurrency');
      return maximum === undefined ? [] : [{ consumer: target(Properties['FunctionName']), maximum: Number(maximum) }];
    });
    expect(most).toHaveLength(5);
    expect(most.reduce((sum, { maximum }) => sum + maximum, 0)).toBeLessThanOrEqual(quota / 10);
    expect(functions.filter(({ Properties }) => Properties['ReservedConcurrentExecutions'] !== undefined)).toEqual([]);
  },
);

test('-c reserve=true keeps concurrency for what moves money and sweeps, no less than their queues use', async () => {
  const { Resources } = (await appTemplate('app-without-options')) as { Resources: Record<string, Resource> };
  const resources = Object.entries(Resources);
  const reserved = Object.fromEntries(
    resources.flatMap(([id, { Properties }]) => {
      const kept = Properties?.['ReservedConcurrentExecutions'];
      return kept === undefined ? [] : [[id, Number(kept)]];
    }),
  );
  const kept = (prefix: string) => Object.entries(reserved).find(([id]) => id.startsWith(prefix))?.[1];
  expect(Object.keys(reserved)).toHaveLength(4);
  expect([
    kept('DebitsSubmitDebit'),
    kept('DebitsSettlePayment'),
    kept('EventsPublishEvents'),
    kept('SweepFunction'),
  ]).toEqual(Object.values(reservedConcurrency));
  for (const [, { Type, Properties }] of resources) {
    if (Type !== 'AWS::Lambda::EventSourceMapping') continue;
    const own = reserved[target(Properties['FunctionName'])] ?? Infinity;
    expect(own).toBeGreaterThanOrEqual(Number(at(Properties, 'ScalingConfig', 'MaximumConcurrency') ?? 1));
  }
});

test('reserving is on or off', () => {
  expect([reserveOf(undefined), reserveOf('false'), reserveOf('true')]).toEqual([false, false, true]);
  expect(() => reserveOf('yes')).toThrow('-c reserve must be true or false.');
});
