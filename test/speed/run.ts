/**
 * Runs the suite of the last commit, in clones, as other machines would: see `kinds`. Ends non-zero if any run was red.
 * `--only shuffled,twice` runs these kinds, `--seeds 4,5` shuffles with these; what else is given goes to vitest, such as `test/domain`.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { cloneHead, endEverything } from './clone.ts';
import { runSuite, type Run } from './run-suite.ts';
import { slowDown } from './slow-down.ts';

const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: text, seeds: text } });
const seeds = (values.seeds ?? '1,2,3,4,5').split(',').map(Number);

/** Each returns its runs. */
const kinds: Readonly<Record<string, () => Promise<Run[]>>> = {
  async quarter() {
    const slow = await slowDown(availableParallelism() / 4);
    try {
      return [await inClone(`a quarter of the CPU (${slow.how})`, [], slow.prefix)];
    } finally {
      await slow.stop();
    }
  },
  full: async () => [await inClone('full speed')],
  async shuffled() {
    const runs: Run[] = [];
    for (const seed of seeds)
      runs.push(await inClone(`shuffled, seed ${seed}`, ['--sequence.shuffle', `--sequence.seed=${seed}`]));
    return runs;
  },
  twice: () => Promise.all([inClone('twice at once, first'), inClone('twice at once, second')]),
};

const chosen = values.only?.split(',') ?? Object.keys(kinds);
if (chosen.some((name) => !Object.hasOwn(kinds, name)))
  throw new Error(`Choose from ${Object.keys(kinds).join(', ')}, separated by commas.`);

async function inClone(name: string, options: string[] = [], prefix: readonly string[] = []): Promise<Run> {
  const { directory, remove } = await cloneHead();
  try {
    const run = await runSuite({ name, directory, prefix, options: [...options, ...positionals] });
    console.log(lineOf(run));
    return run;
  } finally {
    await remove();
  }
}

function lineOf({ name, isGreen, seconds, cpuSeconds, passed, failed, log }: Run): string {
  const result = isGreen ? 'green' : 'RED';
  const counts = `${seconds.toFixed(0)} s, ${cpuSeconds.toFixed(0)} CPU s, ${passed} passed, ${failed.length} failed`;
  return [`${result}  ${name}: ${counts}`, ...(isGreen ? [] : [...failed, `log: ${log}`])].join('\n    ');
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void endEverything().finally(() => process.exit(1)));

const runs: Run[] = [];
try {
  for (const kind of chosen) runs.push(...((await kinds[kind]?.()) ?? []));
} finally {
  await endEverything();
}
process.exitCode = runs.every(({ isGreen }) => isGreen) ? 0 : 1;
