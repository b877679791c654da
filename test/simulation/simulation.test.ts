import { afterAll, describe, expect, it } from 'vitest';
import { plants } from './plants.ts';
import { simulate } from './simulate.ts';
import { startTables } from './tables.ts';

const {
  sets: [tables],
  stop,
} = await startTables();
afterAll(stop);

function live(seed: number, only?: readonly number[], plant?: string) {
  if (!tables) throw new Error('there are no tables');
  return simulate(tables, { seed, steps: 60, only, plant: plant === undefined ? undefined : plants[plant] });
}

describe('the whole service among faults', () => {
  it.each([
    ['the claim is not checked', 13],
    ['the claim is not released on a failure', 3],
    ['a refund is counted twice', 4],
  ])('breaks a promise only if %s', async (plant, seed) => {
    const { violations, ends } = await live(seed);
    expect(violations).toEqual([]);
    expect(ends.length).toBeGreaterThan(0);
    expect((await live(seed, undefined, plant)).violations).not.toEqual([]);
  });

  it('adds up the books of a practice with Stripe, and notices one that is off', async () => {
    const only = [0, 2, 3, 4, 5, 14];
    expect((await live(21, only)).violations).toEqual([]);
    const { violations } = await live(21, only, 'a booking is read wrongly');
    expect(violations).toEqual([expect.stringMatching(/^the books of prc_\w add up to \d+ cents, the bank's to 0$/)]);
  });

  it('lives the same life again', async () => {
    const only = [0, 1, 2, 3, 4, 5, 6, 7];
    const first = await live(3, only);
    expect((await live(3, only)).trace).toEqual(first.trace);
  });
});
