import { auditEntry, type AuditEntry } from '../domain/audit-entry.ts';
import type { Database } from './database.ts';
import { expression } from './expressions.ts';
import { queryPage } from './rows.ts';
import { putNew, type Part } from './writes.ts';

/** For the transaction that writes the change. */
export function auditPart(database: Database<'auditLog'>, entry: AuditEntry): Part {
  return putNew(database, 'auditLog', entry, 'entryId');
}

/** Newest first. A cursor is the id of the last entry of the page before. */
export async function listAuditLog(
  database: Database<'auditLog'>,
  practiceId: string,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
  const ofPractice = expression`practiceId = ${practiceId}`;
  const key = cursor === undefined ? ofPractice : expression`${ofPractice} AND entryId < ${cursor}`;
  const { rows } = await queryPage(database, 'auditLog', { key, newestFirst: true, limit: limit + 1 }, auditEntry);
  const entries = rows.slice(0, limit);
  const last = entries.at(-1);
  return { entries, nextCursor: rows.length > limit && last ? last.entryId : null };
}
