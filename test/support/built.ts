import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Mode } from '../../functions/domain/mode.ts';
import type { synthesize } from '../../lib/build/synthesize.ts';
import { stackNames, type StageName } from '../../lib/settings/stage.ts';
import { appNames, apps, type AppName } from './apps.ts';
import { buildOnce } from './build-once.ts';
import type { BuiltName } from './build.ts';

type Assembly = Awaited<ReturnType<typeof synthesize>>;

/** The folder of a mode's functions. */
export async function bundlesOf(mode: Mode): Promise<string> {
  return folderOf(mode);
}

/** The local sandbox, as `npm start` runs it. */
export async function sandboxAssembly(): Promise<Assembly> {
  return readAssembly('assembly');
}

/** Production, run on this machine with Stripe itself. */
export async function liveAssembly(): Promise<Assembly> {
  return readAssembly('live-assembly');
}

/** A stage as it is deployed, with email. */
export async function deployedAssembly(stage: StageName): Promise<Assembly> {
  return readAssembly(`deployed-${stage}`);
}

/** The folder that `cdk synth` writes with these settings. */
export async function appFolder(name: AppName): Promise<string> {
  // All in one process: the first build takes longer than all the others.
  await buildOnce(inject('built'), appNames);
  return join(inject('built'), name);
}

/** The folder that bin/app.ts itself writes for production, with only the required settings. */
export async function folderByCommand(): Promise<string> {
  return folderOf('app-by-command');
}

/** The main stack's template in that folder. */
export async function appTemplate(name: AppName): Promise<unknown> {
  const file = `${stackNames[apps[name].stage]}.template.json`;
  return JSON.parse(await readFile(join(await appFolder(name), file), 'utf8'));
}

async function readAssembly(name: BuiltName): Promise<Assembly> {
  const assetDirectory = await folderOf(name);
  const template: unknown = JSON.parse(await readFile(join(assetDirectory, 'template.json'), 'utf8'));
  return { template, assetDirectory };
}

async function folderOf(name: BuiltName): Promise<string> {
  await buildOnce(inject('built'), [name]);
  return join(inject('built'), name);
}
