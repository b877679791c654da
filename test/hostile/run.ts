/**
 * `npm run hostile -- --requests 100000 --seed 1 [--stage production] [--only createSession] [--port 4900]`: attacks both stages of the local stack, or
 * one, and says what an answer got wrong. `--only` is part of the names of the targets, and leaves out raw bytes.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { logName, startStack } from '../drill/stack-process.ts';
import { wholeNumber } from '../support/whole-number.ts';
import { attack } from './attack.ts';
import { targetsOf } from './targets.ts';
import { attackedStack } from './victims.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    requests: { ...text, default: '100000' },
    seed: { ...text, default: '1' },
    port: { ...text, default: '4900' },
    only: { ...text, default: '' },
    stage: text,
  },
});
const { only } = values;
const requests = wholeNumber('requests', values.requests);
const seed = wholeNumber('seed', values.seed);
const port = wholeNumber('port', values.port);
/** The sandbox has more routes that change something. */
const shares = { sandbox: 0.6, production: 0.4 } as const;

const stages = (['sandbox', 'production'] as const).filter((stage) => (values.stage ?? stage) === stage);
if (stages.length === 0) throw new Error(`--stage takes sandbox or production, not ${values.stage}.`);
const attacked = stages
  .map((stage) => ({ stage, targets: targetsOf(stage).filter(({ name }) => name.includes(only)) }))
  .filter(({ targets }) => targets.length > 0);
if (attacked.length === 0) {
  const names = new Set(stages.flatMap((stage) => targetsOf(stage).map(({ name }) => name)));
  throw new Error(`No target has ${only} in its name. Choose from: ${[...names].join(', ')}.`);
}

type Attacked = (typeof attacked)[number];
let failed = 0;
for (const each of attacked) {
  const share = attacked.length === 1 ? 1 : shares[each.stage];
  failed += await attackStage(each, Math.round(requests * share));
}
process.exitCode = failed === 0 ? 0 : 1;

async function attackStage({ stage, targets }: Attacked, share: number): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'payment-hostile-'));
  const stack = startStack({ stage, port, dataDir, platform: stage === 'sandbox' });
  let faults: number | undefined;
  try {
    if (!(await stack.ready)) throw new Error(`the stack did not start: see ${join(dataDir, logName)}`);
    const startedAt = performance.now();
    const log = (line: string) => console.error(line);
    const done = await attack(await attackedStack(dataDir), {
      stage,
      targets,
      withRaw: only === '',
      requests: share,
      seed,
      log,
    });
    faults = done.faults;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(JSON.stringify({ stage, seed, seconds, ...done.figures, faults }, undefined, 2));
    return faults;
  } finally {
    await stack.kill();
    if (faults === 0) await rm(dataDir, { recursive: true, force: true });
    else console.log(`The data is kept in ${dataDir}.`);
  }
}
