import { existsSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { SetupError } from './setup-error.ts';

/** Throws SetupError if the asset is missing. */
export function assetPath(assetDirectory: string, objectKey: string): string {
  const { name, base } = parse(objectKey);
  const path = [`asset.${name}`, `asset.${base}`].map((entry) => join(assetDirectory, entry)).find(existsSync);
  if (path === undefined)
    throw new SetupError(`The asset ${objectKey} is missing from ${assetDirectory}. Synthesize the stack again.`);
  return path;
}

/** Hides this project's `"type": "module"`, which bundles in Lambda never see. */
export function isolateAssets(assetDirectory: string): void {
  const boundary = join(assetDirectory, 'package.json');
  if (!existsSync(boundary)) writeFileSync(boundary, '{}\n');
}
