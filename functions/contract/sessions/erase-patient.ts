import * as z from 'zod/mini';
import { isoTime } from '../../domain/time.ts';
import type { Problems } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { keyProblems, type PracticeRoute } from '../practice-route.ts';
import { sessionNotFound, sessionPath, sessionPathDescriptions } from './session.ts';

export const erasedPatient = z.object({
  sessionId: z.string(),
  scrubbedAt: isoTime,
  /** Absent if nothing was authorized. */
  evidenceKeptUntil: z.optional(isoTime),
});
export type ErasedPatient = z.infer<typeof erasedPatient>;

export const erasureProblems = {
  session_not_ended: { status: 409, title: 'The session has not ended.' },
} as const satisfies Problems;

export const erasePatientRoute = {
  ...takesNothing,
  method: 'POST',
  path: '/api/practice/sessions/{sessionId}/erase-patient',
  scope: 'sessions:write',
  summary: "Erase a session's patient",
  description:
    'Takes no body. Removes names, bank account, `metadata` and `returnUrl` from a session that has ended, and `metadata` from its events. It cannot be undone; repeating it changes nothing. ' +
    'The proof of authorization, which has the name and the bank account, is kept until `evidenceKeptUntil`: Nacha requires it. Without an authorization there is none, and the field is absent.',
  params: sessionPath,
  parameters: sessionPathDescriptions,
  status: 200,
  response: erasedPatient,
  problems: { ...keyProblems, ...sessionNotFound, ...erasureProblems },
} as const satisfies PracticeRoute;
