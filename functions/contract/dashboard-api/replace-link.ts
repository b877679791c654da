import * as z from 'zod/mini';
import { isoTime } from '../../domain/time.ts';
import { sessionNotFound, sessionPathDescriptions } from '../sessions/session.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, type MemberRoute } from './dashboard-route.ts';
import { sessionParams } from './session.ts';

export const replacedLink = z.object({
  sessionId: z.string(),
  hostedUrl: z.url(),
  linkReplacedAt: isoTime,
  expiresAt: isoTime,
});
export type ReplacedLink = z.infer<typeof replacedLink>;

export const replaceLinkRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/sessions/{sessionId}/new-link`,
  access: { role: 'staff' },
  summary: 'Replace the link of a session',
  description:
    'Takes no body. The old link stops working. A pending session starts over: the connected bank is removed and the lifetime of the link restarts. ' +
    'Any other session only gets a new link.',
  params: sessionParams,
  parameters: sessionPathDescriptions,
  status: 200,
  response: replacedLink,
  problems: { ...memberProblems, ...sessionNotFound },
} as const satisfies MemberRoute;
