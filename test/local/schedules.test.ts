import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createEventBus } from '../../lib/local/event-bus.ts';

const hour = 3_600_000;
const fired: string[] = [];

beforeEach(() => {
  fired.length = 0;
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => void vi.useRealTimers());

function aBus() {
  const rule = (name: string, ScheduleExpression: string) => ({
    logicalId: name,
    name,
    properties: {
      ScheduleExpression,
      Targets: [{ Arn: `arn:aws:lambda:us-east-1:000000000000:function:${name}`, Id: '1' }],
    },
  });
  const accept = async (name: string) => void fired.push(name);
  return createEventBus({
    buses: [],
    rules: [rule('Sweep', 'rate(1 minute)'), rule('Reconcile', 'rate(1 hour)')],
    invocations: { accept } as never,
    queues: {} as never,
  });
}

it('fires every schedule by the clock', async () => {
  const bus = aBus();
  bus.startSchedules();
  await vi.advanceTimersByTimeAsync(hour);
  bus.stop();
  expect(fired.filter((name) => name === 'Sweep')).toHaveLength(60);
  expect(fired.filter((name) => name === 'Reconcile')).toHaveLength(1);
});

it('leaves rarer schedules to whoever fires them', async () => {
  const bus = aBus();
  bus.startSchedules(1);
  await vi.advanceTimersByTimeAsync(hour);
  bus.stop();
  expect(new Set(fired)).toEqual(new Set(['Sweep']));
  fired.length = 0;
  await bus.fireSchedules();
  expect(fired).toEqual(['Sweep', 'Reconcile']);
});
