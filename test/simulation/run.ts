/** `npm run simulate -- --seeds N`: simulates N lives, and reports which of them break a promise. */
import { parseArgs } from 'node:util';
import { plants } from './plants.ts';
import { simulate, simulatedProcessors, type Outcome, type Plan } from './simulate.ts';
import { startTables } from './tables.ts';

process.env['LOG_LEVEL'] ??= 'SILENT';

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    seeds: text,
    from: text,
    steps: text,
    seed: text,
    only: text,
    plant: text,
    processor: text,
    jobs: text,
    trace: { type: 'boolean' },
  },
});
const steps = Number(values.steps ?? 60);
const from = Number(values.seed ?? values.from ?? 1);
const end = from + (values.seed === undefined ? Number(values.seeds ?? 100) : 1);
const only = values.only?.split(',').map(Number);
const plant = plants[values.plant ?? ''];
if (values.plant !== undefined && !plant) throw new Error(`Choose from: ${Object.keys(plants).join('; ')}.`);

const processor = simulatedProcessors.find((name) => name === values.processor);
if (values.processor !== undefined && !processor) throw new Error(`Choose from: ${simulatedProcessors.join(', ')}.`);

const started = performance.now();
const { sets, stop } = await startTables(Number(values.jobs ?? 4));
const failed: number[] = [];
const ends: Record<string, number> = {};
let next = from;
await Promise.all(
  sets.map(async (tables) => {
    // A planted bug only has to be found once.
    while (next < end && !(plant && failed.length > 0)) {
      const seed = next;
      next += 1;
      const plan = { seed, steps, only, plant, processor };
      const outcome = await simulate(tables, plan);
      for (const each of outcome.ends) ends[each] = (ends[each] ?? 0) + 1;
      if (values.trace) console.log(outcome.trace.join('\n'));
      if (outcome.violations.length === 0) continue;
      failed.push(seed);
      tell(plan, outcome, await shrunk(tables, plan, outcome));
    }
  }),
);
await stop();
const { user, system } = process.cpuUsage();
const seconds = { wall: Math.round((performance.now() - started) / 1000), cpu: Math.round((user + system) / 1e6) };
console.log(JSON.stringify({ seeds: next - from, failed, sessions: ends, seconds }));
process.exitCode = failed.length > 0 ? 1 : 0;

async function shrunk(
  tables: (typeof sets)[number],
  plan: Plan,
  { steps: taken }: Outcome,
): Promise<readonly number[]> {
  const fails = async (some: readonly number[]) =>
    (await simulate(tables, { ...plan, only: some })).violations.length > 0;
  return shrink(
    taken.map(({ index }) => index),
    fails,
  );
}

function tell({ seed }: Plan, { violations, steps: taken }: Outcome, kept: readonly number[]): void {
  console.log(`Seed ${seed} breaks ${violations.length} promises:`);
  for (const violation of violations) console.log(`  ${violation}`);
  console.log(
    `npm run simulate -- --seed ${seed} --steps ${steps} --only ${kept.join(',')}${processor ? ` --processor ${processor}` : ''}${values.plant === undefined ? '' : ` --plant '${values.plant}'`}`,
  );
  for (const { index, action } of taken) if (kept.includes(index)) console.log(`  ${index} ${action}`);
}

/** Leaves out steps as long as it still fails: many at once at first, and one by one in the end. */
async function shrink(
  steps: readonly number[],
  fails: (steps: readonly number[]) => Promise<boolean>,
): Promise<readonly number[]> {
  let kept = steps;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < kept.length;) {
      const fewer = kept.filter((_, index) => index < start || index >= start + size);
      if (await fails(fewer)) kept = fewer;
      else start += size;
    }
  }
  return kept;
}
