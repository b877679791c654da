import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { startShielded } from '../foreground.ts';
import { parseJson } from '../json.ts';
import { SetupError } from '../setup-error.ts';
import type { StandInOptions } from './stand-in.ts';

const addresses = z.object({ apiBase: z.url(), scriptUrl: z.url() });
const main = fileURLToPath(new URL('main.ts', import.meta.url));

/** Runs the stand-in for Stripe in its own process. Throws SetupError if it does not start. */
export async function startStripeProcess(options: StandInOptions) {
  const { child, exited, ended, stop } = startShielded(main, JSON.stringify(options));
  const first = await Promise.race([once(createInterface(child.stdout), 'line'), exited.then(() => [])]);
  const { data } = addresses.safeParse(parseJson(String(first[0])));
  if (data !== undefined) return { ...data, ended, stop };
  child.stdin.end();
  throw new SetupError('The stand-in for Stripe did not start.');
}
