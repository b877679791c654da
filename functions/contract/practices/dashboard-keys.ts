import * as z from 'zod/mini';
import { aboutOwner, memberProblems, practiceParams, type MemberRoute } from '../dashboard-route.ts';
import { managementProblems } from '../management-problems.ts';
import { keyRotation, newKey } from './practices.ts';
import { bodyProblems, practiceClosed, type Problems } from '../problems.ts';
import { scopes } from '../../domain/practices/api-key.ts';
import { isoTime } from '../../domain/time.ts';

const keySummary = z.object({
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

const keyParams = z.extend(practiceParams, { keyId: z.string() });

const keyNotFound = { api_key_not_found: managementProblems.api_key_not_found } as const satisfies Problems;
const keyEnded = { api_key_ended: managementProblems.api_key_ended } as const satisfies Problems;

const createdKey = z.object({ keyId: z.string(), apiKey: z.string() });

const rotatedKey = z.object({
  keyId: z.string(),
  apiKey: z.string(),
  previousKeyId: z.string(),
  previousKeyExpiresAt: isoTime,
});

export const keyRoutes = {
  listKeys: {
    ...aboutOwner({ role: 'viewer' }, 'GET', '/keys'),
    summary: 'List API keys',
    description: 'Includes expired and revoked keys. Never includes a secret.',
    response: z.object({ keys: z.array(keySummary) }),
    problems: memberProblems,
  },
  createKey: {
    ...aboutOwner({ role: 'admin', recentSignIn: 'live_mode', ownMembersOnly: true }, 'POST', '/keys'),
    summary: 'Create an API key',
    description: 'The key is shown only once. The first live key requires a practice that is ready for live payments.',
    body: newKey,
    status: 201,
    response: createdKey,
    problems: {
      ...memberProblems,
      ...bodyProblems,
      ...practiceClosed,
      not_ready_for_live: managementProblems.not_ready_for_live,
    },
  },
  rotateKey: {
    ...aboutOwner({ role: 'admin', recentSignIn: 'live_mode', ownMembersOnly: true }, 'POST', '/keys/{keyId}/rotate'),
    summary: 'Rotate an API key',
    description: 'Creates a key like the old one, which expires at the chosen time.',
    params: keyParams,
    body: keyRotation,
    status: 201,
    response: rotatedKey,
    problems: { ...memberProblems, ...bodyProblems, ...practiceClosed, ...keyNotFound, ...keyEnded },
  },
  revokeKey: {
    ...aboutOwner({ role: 'admin', recentSignIn: 'live_mode', ownMembersOnly: true }, 'POST', '/keys/{keyId}/revoke'),
    summary: 'Revoke an API key',
    description: 'Takes effect on the next request.',
    params: keyParams,
    response: z.object({ keyId: z.string(), revokedAt: isoTime }),
    problems: { ...memberProblems, ...keyNotFound },
  },
} as const satisfies Readonly<Record<string, MemberRoute>>;
