import * as z from 'zod/mini';
import { createdAtOf } from '../../domain/identifier.ts';
import { payee, type Payee } from '../../domain/practices/practice.ts';
import { session, type Session } from '../../domain/sessions/session.ts';
import { isoTime, toIso } from '../../domain/time.ts';

const line = z.nullable(z.string());

/** Rows of an earlier version have the payee without field names. */
const olderPayee = z.pipe(
  z.tuple([z.string(), line, line, line]),
  z.transform(([name, supportPhone, supportEmail, statementDescriptor]): Payee => ({
    name,
    ...(supportPhone !== null && { supportPhone }),
    ...(supportEmail !== null && { supportEmail }),
    ...(statementDescriptor !== null && { statementDescriptor }),
  })),
);

/** Reads a session's row, which leaves out what the ID tells, and zeros. Older rows may have both. */
export const sessionRow = z.pipe(
  z.extend(session, {
    createdAt: z.optional(isoTime),
    bankConnectionAttempts: z._default(z.int(), 0),
    payee: z.optional(z.union([payee, olderPayee])),
    debitAttempts: z._default(z.int(), 0),
  }),
  z.transform((row): Session => ({ ...row, createdAt: row.createdAt ?? toIso(createdAtOf(row.sessionId)) })),
);

/** The row of a new session. */
export function toSessionRow({ createdAt, debitAttempts, metadata, ...rest }: Session) {
  return {
    ...rest,
    // The marshaller recognizes plain objects by `constructor`, which may be a metadata key.
    metadata: new Map(Object.entries(metadata)),
    ...(debitAttempts > 0 && { debitAttempts }),
    ...(createdAt !== toIso(createdAtOf(rest.sessionId)) && { createdAt }),
  };
}
