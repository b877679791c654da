/** Builds what tests share: `node build.ts DIRECTORY NAME…`. A folder appears when it is complete. */
import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mode } from '../../functions/domain/mode.ts';
import { buildFunctions } from '../../lib/build/build.ts';
import { synthesize } from '../../lib/build/synthesize.ts';
import { stageOf, type StageName } from '../../lib/settings/stage.ts';
import { apps, needed, type AppName } from './apps.ts';
import { runApp } from './run-app.ts';
import { synthesizeWith } from './synthesize-app.ts';

const [, , directory = '', ...asked] = process.argv;
const mailFrom = 'payments@example.com';

const recipes = {
  sandbox: (outdir: string) => buildFunctions(outdir, 'sandbox'),
  live: (outdir: string) => buildFunctions(outdir, 'live'),
  assembly: (outdir: string) => assemble(outdir, 'sandbox', { local: true }),
  'live-assembly': (outdir: string) => assemble(outdir, 'production', { local: true }),
  'deployed-sandbox': (outdir: string) => assemble(outdir, 'sandbox', { mailFrom }),
  'deployed-production': (outdir: string) => assemble(outdir, 'production', { mailFrom }),
  'app-sandbox': appNamed('app-sandbox'),
  'app-production': appNamed('app-production'),
  'app-without-options': appNamed('app-without-options'),
  'app-of-others': appNamed('app-of-others'),
  // The only app that bundles its functions itself.
  'app-by-command': (outdir: string) => runApp(outdir, { ...needed, region: 'eu-central-1' }),
};
export type BuiltName = keyof typeof recipes;

async function assemble(
  outdir: string,
  stage: StageName,
  place: { local: true } | { mailFrom: string },
): Promise<void> {
  const functions = await functionsOf(stageOf(stage).mode);
  const { template } = await synthesize({ stage, ...place, outdir, functions });
  await writeFile(join(outdir, 'template.json'), JSON.stringify(template));
}

function appNamed(name: AppName) {
  return async (outdir: string): Promise<void> => {
    const { [name]: settings } = apps;
    await synthesizeWith(settings, outdir, await functionsOf(stageOf(settings.stage).mode));
  };
}

async function functionsOf(mode: Mode): Promise<string> {
  await make(mode);
  return join(directory, mode);
}

async function make(name: BuiltName): Promise<void> {
  const folder = join(directory, name);
  if (existsSync(folder)) return;
  await recipes[name](`${folder}.new`);
  await rename(`${folder}.new`, folder);
}

for (const name of asked) await make(name as BuiltName);
