/** Builds what tests share: `node build.ts OUTDIR functions MODE`, or `node build.ts OUTDIR assembly FUNCTIONS`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modes } from '../../functions/domain/mode.ts';
import { buildFunctions } from '../../lib/build/build.ts';
import { synthesize } from '../../lib/build/synthesize.ts';

const [, , outdir = '', what, input = ''] = process.argv;
const mode = modes.find((each) => each === input);

if (what === 'functions' && mode !== undefined) {
  await buildFunctions(outdir, mode);
} else {
  const { template } = await synthesize({ stage: 'sandbox', local: true, outdir, functions: input });
  await writeFile(join(outdir, 'template.json'), JSON.stringify(template));
}
