import * as z from 'zod/mini';
import { scopes } from '../../domain/practices/api-key.ts';
import { isoTime } from '../../domain/time.ts';
import { managementProblems } from '../management-problems.ts';
import type { Problems } from '../problems.ts';
import { practiceParams } from './dashboard-route.ts';

export const keySummary = z.object({
  keyId: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  createdAt: isoTime,
  expiresAt: z.optional(isoTime),
  revokedAt: z.optional(isoTime),
  /** Like 2026-11-20. */
  lastUsedOn: z.optional(z.string()),
});
export type KeySummary = z.infer<typeof keySummary>;

export const keyParams = z.extend(practiceParams, { keyId: z.string() });

export const keyNotFound = { api_key_not_found: managementProblems.api_key_not_found } as const satisfies Problems;
export const keyEnded = { api_key_ended: managementProblems.api_key_ended } as const satisfies Problems;
