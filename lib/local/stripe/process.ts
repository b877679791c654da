import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { parseJson } from '../json.ts';
import { SetupError } from '../setup-error.ts';
import type { StandInOptions } from './stand-in.ts';

const addresses = z.object({ apiBase: z.url(), scriptUrl: z.url() });
const main = fileURLToPath(new URL('main.ts', import.meta.url));

/** Runs the stand-in for Stripe in a process of its own. Throws SetupError if it does not start. */
export async function startStripeProcess(options: StandInOptions) {
  const child = spawn(process.execPath, [main, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
    // Shields it from Ctrl-C: functions that still run need it.
    detached: true,
  });
  child.stdin.on('error', () => {});
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout);
  const first = await Promise.race([once(lines, 'line'), exited.then(() => [])]);
  const { data } = addresses.safeParse(parseJson(String(first[0])));
  if (data === undefined) {
    child.stdin.end();
    throw new SetupError('The stand-in for Stripe did not start.');
  }
  let stopping = false;
  return {
    ...data,
    /** Resolves if it ends unexpectedly. */
    ended: new Promise<void>((resolve) => {
      void exited.then(() => {
        if (!stopping) resolve();
      });
    }),
    async stop() {
      stopping = true;
      child.stdin.end();
      await exited;
    },
  };
}
