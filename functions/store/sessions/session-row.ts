import * as z from 'zod/mini';
import { createdAtOf } from '../../domain/identifier.ts';
import { payee, type Payee } from '../../domain/practices/practice.ts';
import { session, type Session } from '../../domain/sessions/session.ts';
import { isoTime, toIso } from '../../domain/time.ts';

const line = z.nullable(z.string());
const payeeRow = z.tuple([z.string(), line, line, line]);

/** Without field names, to keep the session's row small. */
export function toPayeeRow({ name, supportPhone, supportEmail, statementDescriptor }: Payee) {
  return [name, supportPhone ?? null, supportEmail ?? null, statementDescriptor ?? null] as const;
}

function toPayee([name, supportPhone, supportEmail, statementDescriptor]: z.output<typeof payeeRow>): Payee {
  return {
    name,
    ...(supportPhone !== null && { supportPhone }),
    ...(supportEmail !== null && { supportEmail }),
    ...(statementDescriptor !== null && { statementDescriptor }),
  };
}

/**
 * Reads a session's row, which leaves out what the ID tells, zeros, and the field names of the payee. Older rows have all of
 * them.
 */
export const sessionRow = z.pipe(
  z.extend(session, {
    createdAt: z.optional(isoTime),
    bankConnectionAttempts: z._default(z.int(), 0),
    payee: z.optional(z.union([payee, z.pipe(payeeRow, z.transform(toPayee))])),
    debitAttempts: z._default(z.int(), 0),
  }),
  z.transform((row): Session => ({ ...row, createdAt: row.createdAt ?? toIso(createdAtOf(row.sessionId)) })),
);

/** The row of a new session. */
export function toSessionRow({ createdAt, payee: offered, debitAttempts, metadata, ...rest }: Session) {
  return {
    ...rest,
    // The marshaller recognizes plain objects by `constructor`, which may be a metadata key.
    metadata: new Map(Object.entries(metadata)),
    ...(offered && { payee: toPayeeRow(offered) }),
    ...(debitAttempts > 0 && { debitAttempts }),
    ...(createdAt !== toIso(createdAtOf(rest.sessionId)) && { createdAt }),
  };
}
