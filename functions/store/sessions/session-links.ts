import type { AuditEntry } from '../../domain/team/audit-entry.ts';
import { due } from '../../domain/due.ts';
import { Fault } from '../../domain/fault.ts';
import { bankDetails, type Session } from '../../domain/sessions/session.ts';
import { toIso } from '../../domain/time.ts';
import { auditPart, updateAudited } from '../team/audit-log.ts';
import type { Database } from '../database.ts';
import { expression } from '../expressions.ts';
import { sessionRow } from './session-row.ts';

interface NewLink {
  readonly tokenHash: string;
  readonly audit: AuditEntry;
}

/** Removes everything that the patient did. Undefined if written; otherwise the row, which is no longer pending. */
export async function restartSession(
  database: Database,
  sessionId: string,
  { tokenHash, audit, expiresAt }: NewLink & { readonly expiresAt: number },
  now: number,
): Promise<Session | undefined> {
  const restart = {
    set: {
      tokenHash,
      linkReplacedAt: toIso(now),
      expiresAt: toIso(expiresAt),
      bankConnectionAttempts: 0,
      ...due('expiry', sessionId, expiresAt),
    },
    remove: [
      'openedAt',
      'extensionLimit',
      'extensions',
      'extendedAt',
      'pickerStarts',
      'bankConnectedAt',
      ...bankDetails,
    ],
    condition: expression`status = ${'pending'} AND expiresAt > ${toIso(now)}`,
  } as const;
  const entry = auditPart(database, audit);
  const { written, row } = await updateAudited(database, 'sessions', { sessionId }, restart, sessionRow, entry);
  if (!row) throw new Fault(`there is no session ${sessionId}`);
  return written ? undefined : row;
}

export async function replaceToken(database: Database, sessionId: string, { tokenHash, audit }: NewLink, now: number) {
  const replacement = {
    set: { tokenHash, linkReplacedAt: toIso(now) },
    condition: expression`attribute_exists(sessionId)`,
  };
  const entry = auditPart(database, audit);
  const { written } = await updateAudited(database, 'sessions', { sessionId }, replacement, sessionRow, entry);
  if (!written) throw new Fault(`the link of ${sessionId} was not replaced`);
}
