import * as z from 'zod/mini';
import { endpointNotFound } from '../webhooks/endpoint-problems.ts';
import { endpointParams } from './webhook-endpoint.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, type MemberRoute } from './dashboard-route.ts';

export const revealSigningSecretRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/webhook-endpoints/{endpointId}/reveal-secret`,
  access: { role: 'admin', recentSignIn: true },
  summary: 'Reveal a signing secret',
  description: 'Writes an audit log entry.',
  params: endpointParams,
  status: 200,
  response: z.object({ signingSecret: z.string() }),
  problems: { ...memberProblems, ...endpointNotFound },
} as const satisfies MemberRoute;
