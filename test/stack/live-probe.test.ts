import { expect } from 'vitest';
import { minute } from '../../functions/domain/time.ts';
import { isOn, pointsIn, type DataPoint } from '../support/alarms.ts';
import { deployedAssembly } from '../support/built.ts';
import { onLiveStack, type LivePractice } from '../support/live-stack.ts';

const { template } = await deployedAssembly('production');

/** What a run of the probe measured. */
async function probed(service: LivePractice): Promise<DataPoint> {
  const measured = async () => pointsIn(await service.logLines()).filter(({ name }) => name === 'FailedProbes');
  const before = await measured();
  await service.stack.functionOf('SweepProbe').invoke({});
  await expect.poll(measured).toHaveLength(before.length + 1);
  return (await measured()).toSorted((left, right) => left.time - right.time).at(-1)!;
}

const minutesAgo = (point: DataPoint, ...minutes: number[]): DataPoint[] =>
  minutes.map((ago) => ({ ...point, time: Date.now() - ago * minute }));

onLiveStack(
  'FailedProbes goes off if a table cannot be read or the probe does not run',
  async ({ ownLive: service }) => {
    const fine = await probed(service);
    expect(fine.value, 'the page, the APIs, the dashboard and the docs answer').toBe(0);
    expect(isOn(template, 'FailedProbes', minutesAgo(fine, 1, 6, 11))).toBe(false);
    expect(isOn(template, 'FailedProbes', minutesAgo(fine, 11)), 'it did not run twice').toBe(true);

    service.disturb(({ caller }) => (caller.startsWith('PracticeApiGetHealth') ? 'throttled' : undefined));
    const response = await fetch(`${service.apiUrl}/api/health`);
    expect(response.status).toBe(503);
    const failed = await probed(service);
    service.disturb(() => undefined);
    expect(failed.value).toBe(1);
    expect(isOn(template, 'FailedProbes', [...minutesAgo(failed, 1, 6), ...minutesAgo(fine, 11)])).toBe(true);
    expect(isOn(template, 'FailedProbes', [...minutesAgo(failed, 1), ...minutesAgo(fine, 6, 11)])).toBe(false);
  },
);

onLiveStack('the health is public, is not cached and says nothing about the service', async ({ ownLive: service }) => {
  const response = await fetch(`${service.apiUrl}/api/health`);
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual({});
});
