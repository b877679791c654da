import * as z from 'zod/mini';
import { toEpochSeconds, toIso } from '../../domain/time.ts';
import type { Database } from '../database.ts';
import { expression } from '../expressions.ts';
import { get, update } from '../rows.ts';

const rateLimit = z.object({ rateLimitId: z.string(), taken: z.int(), timeToLive: z.int() });

export interface TokenRequest {
  readonly practiceId: string;
  readonly windowEnd: number;
  /** How many tokens the window has. */
  readonly quota: number;
  readonly block: number;
}

/** Returns how many tokens of the window are now reserved: up to a block more than the quota. Undefined if none was left. */
export async function reserveTokens(
  database: Database,
  { practiceId, windowEnd, quota, block }: TokenRequest,
): Promise<number | undefined> {
  const key = { rateLimitId: `${practiceId}#${toIso(windowEnd)}` };
  const reservation = {
    set: { timeToLive: toEpochSeconds(windowEnd) },
    add: { taken: block },
    condition: expression`attribute_not_exists(taken) OR taken < ${quota}`,
  };
  const { written, row } = await update(database, 'rateLimits', key, reservation, rateLimit);
  return written ? row.taken : undefined;
}

/** Throws if the table cannot be read. */
export async function readLimits(database: Database): Promise<void> {
  await get(database, 'rateLimits', { rateLimitId: 'health' }, rateLimit);
}
