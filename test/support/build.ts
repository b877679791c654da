/** Builds what tests share: `node build.ts OUTDIR functions MODE`, or `node build.ts OUTDIR local|deployed STAGE FUNCTIONS`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modes } from '../../functions/domain/mode.ts';
import { buildFunctions } from '../../lib/build/build.ts';
import { synthesize } from '../../lib/build/synthesize.ts';

const [, , outdir = '', what, input = '', functions = ''] = process.argv;
const mode = modes.find((each) => each === input);

if (what === 'functions' && mode !== undefined) {
  await buildFunctions(outdir, mode);
} else {
  const stage = input === 'production' ? 'production' : 'sandbox';
  const place = what === 'local' ? { local: true } : { mailFrom: 'payments@example.com' };
  const { template } = await synthesize({ stage, ...place, outdir, functions });
  await writeFile(join(outdir, 'template.json'), JSON.stringify(template));
}
