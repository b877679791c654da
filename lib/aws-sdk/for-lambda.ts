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
      '@smithy/core/event-streams': inThisFolder('unused-parts.ts'),
    };
    build.onResolve({ filter: /^\.\/fromSharedConfigFiles$/ }, () => ({
      path: inThisFolder('unused-parts.ts'),
      // The same as for the alias. Otherwise, the bytes depend on which of the two is resolved first.
      sideEffects: false,
    }));
    build.onLoad({ filter: /@aws-sdk[\\/][^\\/]+[\\/]package\.json$/ }, async ({ path }) => ({
      // Clients read only this field.
      contents: JSON.stringify(packageJson.parse(JSON.parse(await readFile(path, 'utf8')))),
      loader: 'json',
    }));
  },
};

function inThisFolder(file: string): string {
  return resolve(import.meta.dirname, file);
}
