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
  // The fewest steps that show it, from `npm run simulate -- --plant`.
  it.each([
    ['the claim is not checked', 10, [31, 35, 36, 44]],
    ['the claim is not released on a failure', 1, [0, 1]],
    ['the tombstone is ignored', 349, [11, 20]],
    ['the idempotency key is not in the transaction', 3, [0]],
    ['a refund is counted twice', 13, [14, 15, 16, 19, 20, 35, 36, 37, 38, 40, 44, 45, 50, 51]],
  ])('breaks a promise only if %s', async (plant, seed, only) => {
    const { violations, ends } = await live(seed, only);
    expect(violations).toEqual([]);
    expect(ends.length).toBeGreaterThan(0);
    expect((await live(seed, only, plant)).violations).not.toEqual([]);
  });

  it('adds up the books of a practice with Stripe, and notices one that is off', async () => {
    const only = [30, 31, 36];
    expect((await live(9, only)).violations).toEqual([]);
    const { violations } = await live(9, only, 'a booking is read wrongly');
    expect(violations).toContainEqual(
      expect.stringMatching(/^the books of prc_\w add up to \d+ cents, the bank's to 0$/),
    );
  });

  it('repeats a life exactly', async () => {
    const only = [0, 1, 2, 3, 4, 5, 6, 7];
    const first = await live(3, only);
    expect((await live(3, only)).trace).toEqual(first.trace);
  });
});
