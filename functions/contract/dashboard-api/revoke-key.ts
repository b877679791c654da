import * as z from 'zod/mini';
import { keyNotFound, keyParams } from './api-key.ts';
import { isoTime } from '../../domain/time.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, type MemberRoute } from './dashboard-route.ts';

export const revokeKeyRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/keys/{keyId}/revoke`,
  access: { role: 'admin', recentSignIn: 'live_mode' },
  summary: 'Revoke an API key',
  description: 'Takes effect on the next request.',
  params: keyParams,
  status: 200,
  response: z.object({ keyId: z.string(), revokedAt: isoTime }),
  problems: { ...memberProblems, ...keyNotFound },
} as const satisfies MemberRoute;
