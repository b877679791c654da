import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Writes `{ [_h]: … }` in the SDK's schemas as `{ "http": … }`. To esbuild, a computed key could have a side effect, so
 * it keeps the schemas of every operation: 60 kB of S3's in a bundle that only puts an object.
 */
export const literalKeys: Plugin = {
  name: 'literal keys',
  setup: (build) => {
    build.onLoad({ filter: /@aws-sdk[\\/][^\\/]+[\\/]dist-es[\\/]schemas[\\/]schemas_\d+\.js$/ }, async ({ path }) => ({
      contents: writeKeys(await readFile(path, 'utf8')),
    }));
  },
};

function writeKeys(source: string): string {
  const keys = new Map([...source.matchAll(/^const (\w+) = (".*");$/gm)].map(([, name, text]) => [name, text]));
  return source.replaceAll(/\[(\w+)\]:/g, (computed, name: string) => {
    const key = keys.get(name);
    return key === undefined ? computed : `${key}:`;
  });
}
