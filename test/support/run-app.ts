import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Settings } from './apps.ts';
import { quickCdk, quickEsbuild } from './build-once.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** Runs bin/app.ts as a process, as `cdk synth` does. */
export async function runApp(outdir: string, settings: Settings): Promise<void> {
  const { context } = JSON.parse(await readFile(join(root, 'cdk.json'), 'utf8')) as { context: object };
  await run(process.execPath, [...quickCdk, 'bin/app.ts'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...quickEsbuild,
      CDK_OUTDIR: outdir,
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, ...settings }),
      // Loading CDK's rules takes longer than everything else. The tests' apps follow them.
      CDK_VALIDATION: 'false',
    },
  });
}
