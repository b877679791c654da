import * as z from 'zod/mini';
import type { Table } from '../../contract/environment.ts';
import { auditEntry, firstEntryIdAt, type AuditAction, type AuditEntry } from '../../domain/team/audit-entry.ts';
import { Fault } from '../../domain/fault.ts';
import type { Database } from '../database.ts';
import { expression } from '../expressions.ts';
import { get, insert, queryAll, queryPage, queryPages, type Updated } from '../rows.ts';
import { transact } from '../transact.ts';
import { change, putNew, type Change, type Key, type Part } from '../writes.ts';

/** The entry as a part of the transaction that writes the change. */
export function auditPart(database: Database, entry: AuditEntry): Part {
  return putNew(database, 'auditLog', entry, 'entryId');
}

/** Use it only for actions that change no row, such as revealing a secret. Call it before the action. */
export async function writeAuditEntry(database: Database, entry: AuditEntry): Promise<void> {
  if (!(await insert(database, 'auditLog', entry, 'entryId'))) throw entryIdTaken();
}

/** Updates a row and writes the entry, or neither. Returns the row afterward. */
export async function updateAudited<Schema extends z.ZodMiniType>(
  database: Database,
  table: Table,
  key: Key,
  changes: Change<z.output<Schema>>,
  schema: Schema,
  audit: Part,
): Promise<Updated<z.output<Schema>>> {
  const refused = await transact(database, { row: change(database, table, key, changes), audit });
  if (refused?.has('row')) {
    const row = refused.get('row');
    return { written: false, row: row === undefined ? undefined : z.parse(schema, row) };
  }
  if (refused) throw entryIdTaken();
  const row = await get(database, table, key, schema);
  return row === undefined ? { written: false, row } : { written: true, row };
}

export async function getAuditEntry(database: Database, practiceId: string, entryId: string) {
  return get(database, 'auditLog', { practiceId, entryId }, auditEntry);
}

/** Newest first. The cursor is the ID of the previous page's last entry. */
export async function listAuditLog(
  database: Database,
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

interface Written {
  readonly action: AuditAction;
  readonly target: string;
  readonly at: number;
}

/** The entry for a change that was made in this millisecond. */
export async function findAuditEntry(
  database: Database,
  practiceId: string,
  { action, target, at }: Written,
): Promise<AuditEntry | undefined> {
  const key = expression`practiceId = ${practiceId} AND entryId BETWEEN ${firstEntryIdAt(at)} AND ${firstEntryIdAt(at + 1)}`;
  const entries = await queryAll(database, 'auditLog', { key }, auditEntry);
  return entries.find((entry) => entry.action === action && entry.target === target);
}

/** Oldest first. */
export function auditPages(database: Database, practiceId: string): AsyncGenerator<AuditEntry[]> {
  return queryPages(database, 'auditLog', { key: expression`practiceId = ${practiceId}` }, auditEntry);
}

export function entryIdTaken(): Fault {
  return new Fault('a new audit entry id was already taken');
}
