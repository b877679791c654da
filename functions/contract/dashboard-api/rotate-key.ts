import * as z from 'zod/mini';
import { keyRotation } from '../practices/keys.ts';
import { bodyProblems, practiceClosed } from '../problems.ts';
import { keyEnded, keyNotFound, keyParams } from './api-key.ts';
import { isoTime } from '../../domain/time.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, type MemberRoute } from './dashboard-route.ts';

const rotatedKey = z.object({
  keyId: z.string(),
  apiKey: z.string(),
  previousKeyId: z.string(),
  previousKeyExpiresAt: isoTime,
});

export const rotateKeyRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/keys/{keyId}/rotate`,
  access: { role: 'admin', recentSignIn: 'live_mode' },
  summary: 'Rotate an API key',
  description: 'Creates a key like the old one, which expires at the chosen time.',
  params: keyParams,
  body: keyRotation,
  status: 201,
  response: rotatedKey,
  problems: { ...memberProblems, ...bodyProblems, ...practiceClosed, ...keyNotFound, ...keyEnded },
} as const satisfies MemberRoute;
