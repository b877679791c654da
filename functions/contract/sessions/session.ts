import * as z from 'zod/mini';
import { sessionFacts } from '../../domain/sessions/session.ts';
import { sessionBlocks } from '../../domain/sessions/session-block.ts';
import { isoTime } from '../../domain/time.ts';
import { sessionStatuses } from '../../domain/sessions/transitions.ts';
import type { Problems } from '../problems.ts';

/** A fact that does not exist is absent, never null. */
export const sessionStatusBody = z.object({
  sessionId: z.string(),
  invoiceId: z.string(),
  status: z.enum(sessionStatuses),
  amountCents: z.int(),
  createdAt: isoTime,
  metadata: z.record(z.string(), z.string()),
  expiresAt: isoTime,
  openedAt: z.optional(isoTime),
  /** Only while pending. */
  blockedBy: z.optional(z.enum(sessionBlocks)),
  ...sessionFacts,
  /** When the patient's details were removed. `metadata` is then empty. */
  scrubbedAt: z.optional(isoTime),
});

export const sessionPath = z.object({ sessionId: z.string() });
export const sessionPathDescriptions = { sessionId: 'The `sessionId` of the session.' };

export const sessionNotFound = {
  session_not_found: { status: 404, title: 'The session was not found.' },
} as const satisfies Problems;
