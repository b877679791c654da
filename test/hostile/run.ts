/** `npm run hostile -- --requests 100000 --seed 1`: attacks both stages of the local stack, and says what an answer got wrong. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { logName, startStack, type StackOptions } from '../drill/stack-process.ts';
import { attack } from './attack.ts';
import { attackedStack } from './victims.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: { requests: text, seed: text, port: text, only: text, stage: text },
});
const seed = Number(values.seed ?? 1);
/** The sandbox has more routes that change something. */
const shares = { sandbox: 0.6, production: 0.4 } as const;
let failed = 0;
for (const stage of ['sandbox', 'production'] as const) {
  if (values.stage !== undefined && values.stage !== stage) continue;
  const share = values.stage === undefined ? shares[stage] : 1;
  failed += await attackStage(stage, Math.round(Number(values.requests ?? 100_000) * share));
}
process.exitCode = failed === 0 ? 0 : 1;

async function attackStage(stage: StackOptions['stage'], requests: number): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'payment-hostile-'));
  const stack = startStack({ stage, port: Number(values.port ?? 4900), dataDir, platform: stage === 'sandbox' });
  try {
    if (!(await stack.ready)) throw new Error(`the stack did not start: see ${join(dataDir, logName)}`);
    const startedAt = performance.now();
    const { faults, figures } = await attack(await attackedStack(dataDir), {
      stage,
      requests,
      seed,
      only: values.only,
      log: (line) => console.error(line),
    });
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(JSON.stringify({ stage, seed, seconds, ...figures, faults }, undefined, 2));
    return faults;
  } finally {
    await stack.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}
