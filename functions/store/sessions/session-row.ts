import * as z from 'zod/mini';
import { createdAtOf } from '../../domain/identifier.ts';
import { session, type Session } from '../../domain/sessions/session.ts';
import { toIso } from '../../domain/time.ts';

/** Parses a session's row, which leaves out what the ID already says. */
export const sessionRow = z.pipe(
  z.extend(z.omit(session, { createdAt: true }), {
    bankConnectionAttempts: z._default(z.int(), 0),
  }),
  z.transform((row): Session => ({ ...row, createdAt: toIso(createdAtOf(row.sessionId)) })),
);

/** The row of a new session. */
export function toSessionRow({ createdAt: _, metadata, ...rest }: Session) {
  return {
    ...rest,
    // The marshaller recognizes plain objects by `constructor`, which may be a metadata key.
    metadata: new Map(Object.entries(metadata)),
  };
}
