import * as z from 'zod/mini';
import type { AuditEntry } from '../domain/audit-entry.ts';
import { due } from '../domain/due.ts';
import { Fault } from '../domain/fault.ts';
import { bankDetails, type Session } from '../domain/session.ts';
import { toIso } from '../domain/time.ts';
import { auditPart } from './audit-log.ts';
import type { Database } from './database.ts';
import { expression } from './expressions.ts';
import { sessionRow } from './session-row.ts';
import { transact } from './transact.ts';
import { change, type Change } from './writes.ts';

type Linked = Database<'sessions' | 'auditLog'>;

interface NewLink {
  readonly tokenHash: string;
  readonly audit: AuditEntry;
}

/** Removes everything that the patient did. Undefined if written; otherwise the row, which is no longer pending. */
export async function restartSession(
  database: Linked,
  sessionId: string,
  { tokenHash, audit, expiresAt }: NewLink & { readonly expiresAt: number },
  now: number,
): Promise<Session | undefined> {
  return writeLink(database, sessionId, audit, {
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
  });
}

export async function replaceToken(
  database: Linked,
  sessionId: string,
  { tokenHash, audit }: NewLink,
  now: number,
): Promise<void> {
  const refused = await writeLink(database, sessionId, audit, {
    set: { tokenHash, linkReplacedAt: toIso(now) },
    condition: expression`attribute_exists(sessionId)`,
  });
  if (refused) throw new Fault(`the link of ${sessionId} was not replaced`);
}

async function writeLink(
  database: Linked,
  sessionId: string,
  audit: AuditEntry,
  changes: Change<Session>,
): Promise<Session | undefined> {
  const refused = await transact(database, {
    session: change(database, 'sessions', { sessionId }, changes),
    audit: auditPart(database, audit),
  });
  if (!refused) return undefined;
  if (!refused.has('session')) throw new Fault('a new audit entry id was already taken');
  return z.parse(sessionRow, refused.get('session'));
}
