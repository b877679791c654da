import { afterAll, expect, it } from 'vitest';
import { simulate, type SimulatedProcessor } from './simulate.ts';
import { startTables } from './tables.ts';

/** Short lives, so that the suite runs many. `npm run simulate` runs longer ones. */
const steps = 5;
const seeds = 40;

/** Each processor's lives have their own file, because they take a while. */
export async function testLives(processor: SimulatedProcessor): Promise<void> {
  const { sets, stop } = await startTables(5);
  afterAll(stop);

  it(`keep every promise, in ${seeds} lives of ${steps} steps`, async () => {
    const broken: string[] = [];
    let seed = 0;
    const live = async (tables: (typeof sets)[number]) => {
      while (seed < seeds) {
        const plan = { seed: (seed += 1), steps, processor };
        const { violations, ends } = await simulate(tables, plan);
        expect(ends.length).toBeGreaterThan(0);
        const command = `npm run simulate -- --seed ${plan.seed} --steps ${steps} --processor ${processor}`;
        broken.push(...violations.map((violation) => `${command}: ${violation}`));
      }
    };
    await Promise.all(sets.map(live));
    expect(broken).toEqual([]);
  });
}
