/** `npm run drill -- --kills 20 --seed 1 [--stage production] [--port 4880]`: kills the local stack under load, and reports what was lost. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { wholeNumber } from '../support/whole-number.ts';
import { drill } from './drill.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    stage: { type: 'string', default: 'sandbox' },
    port: { type: 'string', default: '4880' },
  },
});
const { stage } = values;
if (stage !== 'sandbox' && stage !== 'production')
  throw new Error(`--stage takes sandbox or production, not ${stage}.`);
const port = wholeNumber('port', values.port);
const kills = wholeNumber('kills', values.kills);
const seed = wholeNumber('seed', values.seed);

const dataDir = await mkdtemp(join(tmpdir(), 'payment-drill-'));
const startedAt = performance.now();
const { violations, figures } = await drill({
  stage,
  port,
  dataDir,
  kills,
  seed,
  log: (line) => console.error(line),
});
const seconds = Math.round((performance.now() - startedAt) / 1000);
console.log(JSON.stringify({ stage, seed, seconds, ...figures }, undefined, 2));
for (const violation of violations) console.log(`violation: ${violation}`);
console.log(
  violations.length === 0 ? 'Nothing told was lost, nothing was doubled.' : `The data is kept in ${dataDir}.`,
);
if (violations.length === 0) await rm(dataDir, { recursive: true, force: true });
process.exitCode = violations.length === 0 ? 0 : 1;
