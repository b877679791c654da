import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import * as z from 'zod';

const packageJson = z.object({ version: z.string() });

/** Leaves out the parts of the SDK that our functions never use, so that a cold start has less to compile. */
export const forLambda: Plugin = {
  name: 'for Lambda',
  setup: (build) => {
    build.initialOptions.alias = {
      '@aws-sdk/credential-provider-node': inThisFolder('environment-credentials.ts'),
      '@smithy/core/event-streams': inThisFolder('event-streams.ts'),
    };
    build.onResolve({ filter: /^\.\/fromSharedConfigFiles$/ }, () => ({
      path: inThisFolder('shared-config-files.ts'),
    }));
    build.onLoad({ filter: /@aws-sdk[\\/][^\\/]+[\\/]package\.json$/ }, async ({ path }) => ({
      // Clients read only this field.
      contents: JSON.stringify(packageJson.parse(JSON.parse(await readFile(path, 'utf8')))),
      loader: 'json',
    }));
    build.onLoad({ filter: /@aws-sdk[\\/][^\\/]+[\\/]dist-es[\\/]schemas[\\/]schemas_\d+\.js$/ }, async ({ path }) => ({
      contents: writeKeys(await readFile(path, 'utf8')),
    }));
  },
};

function inThisFolder(file: string): string {
  return resolve(import.meta.dirname, file);
}

/**
 * Rewrites `{ [_h]: … }` in the SDK's schemas to `{ "http": … }`. To esbuild, a computed key may have a side effect, so
 * it would keep the schemas of every operation: 60 kB for S3 in a bundle that only puts an object.
 */
function writeKeys(source: string): string {
  const keys = new Map([...source.matchAll(/^const (\w+) = (".*");$/gm)].map(([, name, text]) => [name, text]));
  return source.replaceAll(/\[(\w+)\]:/g, (computed, name: string) => {
    const key = keys.get(name);
    return key === undefined ? computed : `${key}:`;
  });
}
