import * as z from 'zod/mini';
import { endpointNotFound } from '../webhooks/endpoint-problems.ts';
import { secretRotation } from '../webhooks/webhook-endpoints.ts';
import { bodyProblems } from '../problems.ts';
import { isoTime } from '../../domain/time.ts';
import { endpointParams } from './webhook-endpoint.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, type MemberRoute } from './dashboard-route.ts';

export const rotateSigningSecretRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/webhook-endpoints/{endpointId}/rotate-secret`,
  access: { role: 'admin', recentSignIn: true },
  summary: 'Rotate a signing secret',
  description: 'The old secret keeps signing for the chosen time.',
  params: endpointParams,
  body: secretRotation,
  status: 200,
  response: z.object({ signingSecret: z.string(), previousSecretExpiresAt: isoTime }),
  problems: { ...memberProblems, ...bodyProblems, ...endpointNotFound },
} as const satisfies MemberRoute;
