import { existsSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { SetupError } from './setup-error.ts';

/** The path in the cloud assembly of what `cdk deploy` would upload as `objectKey`. */
export function assetPath(assetDirectory: string, objectKey: string): string {
  const { name, base } = parse(objectKey);
  const path = [`asset.${name}`, `asset.${base}`].map((entry) => join(assetDirectory, entry)).find(existsSync);
  if (path === undefined)
    throw new SetupError(`The asset ${objectKey} is missing from ${assetDirectory}. Synthesize the stack again.`);
  return path;
}

/** Hides this project's `"type": "module"` from the bundles: in Lambda, no directory above them has a package.json. */
export function isolateAssets(assetDirectory: string): void {
  const boundary = join(assetDirectory, 'package.json');
  if (!existsSync(boundary)) writeFileSync(boundary, '{}\n');
}
