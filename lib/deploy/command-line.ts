import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { settingsOf } from '../settings/settings.ts';
import { variableRegion } from './region.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const cdkFile = z.object({ context: z.record(z.string(), z.unknown()).optional() });

/** Reads settings as `cdk` does: from `-c key=value`, then from `context` in cdk.json. Throws as `settingsOf` does. */
export async function readDeployCommand(args: readonly string[], environment: NodeJS.ProcessEnv) {
  const { values } = parseArgs({
    args: [...args],
    strict: false,
    options: { context: { type: 'string', short: 'c', multiple: true }, profile: { type: 'string' } },
  });
  const given = new Map(
    (values.context ?? []).map((pair) => {
      const [key = '', ...value] = String(pair).split('=');
      return [key, value.join('=')];
    }),
  );
  const file = await readFile(resolve(import.meta.dirname, '../../cdk.json'), 'utf8');
  const { context = {} } = cdkFile.parse(JSON.parse(file));
  const known = new Set<string>();
  const read = (key: string) => {
    known.add(key);
    return given.get(key) ?? contextText(context[key]);
  };
  const region = read('region') ?? variableRegion(environment);
  const settings = settingsOf(read, region);
  // CDK's own keys have a colon. It silently ignores unknown keys, such as -c chargetype=destination.
  const unknown = [...given.keys()].filter((key) => !known.has(key) && !key.includes(':'));
  if (unknown.length > 0)
    throw new Error(unknown.map((key) => `There is no setting -c ${key}: see web/docs/deploy.md.`).join('\n'));
  return {
    settings,
    region,
    profile: typeof values.profile === 'string' ? values.profile : undefined,
  };
}

/** In cdk.json, a setting may be `true` or `2`. */
export function contextText(value: unknown): string | undefined {
  const isPlain = typeof value === 'boolean' || typeof value === 'number';
  return z
    .string()
    .optional()
    .parse(isPlain ? String(value) : value);
}

/** Runs the CDK CLI; returns its exit code. */
export async function cdk(args: readonly string[]): Promise<number> {
  const child = spawn('cdk', args, { stdio: 'inherit' });
  const [exitCode]: unknown[] = await once(child, 'exit');
  return typeof exitCode === 'number' ? exitCode : 1;
}
