import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Mode } from '../../functions/domain/mode.ts';
import type { synthesize } from '../../lib/build/synthesize.ts';
import type { StageName } from '../../lib/settings/stage.ts';
import { buildOnce } from './build-once.ts';

type Assembly = Awaited<ReturnType<typeof synthesize>>;

/** The folder of a mode's functions. */
export async function bundlesOf(mode: Mode): Promise<string> {
  return buildOnce(inject('built'), mode, ['functions', mode]);
}

/** The local sandbox, as `npm start` runs it. */
export async function sandboxAssembly(): Promise<Assembly> {
  return readAssembly('assembly', ['local', 'sandbox', await bundlesOf('sandbox')]);
}

/** Production, as it runs here with Stripe itself. */
export async function liveAssembly(): Promise<Assembly> {
  return readAssembly('live-assembly', ['local', 'production', await bundlesOf('live')]);
}

/** A stage as it is deployed, with mails. */
export async function deployedAssembly(stage: StageName, mode: Mode): Promise<Assembly> {
  return readAssembly(`deployed-${stage}`, ['deployed', stage, await bundlesOf(mode)]);
}

async function readAssembly(name: string, inputs: readonly string[]): Promise<Assembly> {
  const assetDirectory = await buildOnce(inject('built'), name, inputs);
  const template: unknown = JSON.parse(await readFile(join(assetDirectory, 'template.json'), 'utf8'));
  return { template, assetDirectory };
}
