import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { newAuditEntry, type AuditEntry } from '../../../functions/domain/team/audit-entry.ts';
import { auditPart, listAuditLog } from '../../../functions/store/team/audit-log.ts';
import { transact } from '../../../functions/store/transact.ts';
import { startTestTables } from '../../support/tables.ts';

const { database } = await startTestTables();

async function storeEntry(practiceId: string, at: number): Promise<AuditEntry> {
  const author = { kind: 'user', userId: 'usr_1', email: 'ada@lakeside.example', address: '192.0.2.1' } as const;
  const change = {
    practiceId,
    author,
    action: 'api_key.revoked',
    target: 'key_1',
    details: { name: 'billing' },
  } as const;
  const entry = newAuditEntry({ randomBytes }, change, at);
  expect(await transact(database, { audit: auditPart(database, entry) })).toBeUndefined();
  return entry;
}

it('is read newest first, in pages, without the entries of another practice', async () => {
  const entries: AuditEntry[] = [];
  for (const at of [1000, 2000, 3000, 4000, 5000]) {
    entries.unshift(await storeEntry('prc_paged', at));
    await storeEntry('prc_other', at);
  }
  const pages: AuditEntry[][] = [];
  let cursor: string | undefined;
  do {
    const page = await listAuditLog(database, 'prc_paged', { cursor, limit: 2 });
    pages.push(page.entries);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  expect(pages.flat()).toEqual(entries);
  expect(await listAuditLog(database, 'prc_paged', { limit: 5 })).toEqual({ entries, nextCursor: null });
  expect(await listAuditLog(database, 'prc_none', { limit: 5 })).toEqual({ entries: [], nextCursor: null });
});

it('never overwrites an entry', async () => {
  const entry = await storeEntry('prc_kept', 1000);
  const forged = { ...entry, author: { kind: 'operator' as const } };
  expect([...((await transact(database, { audit: auditPart(database, forged) })) ?? [])]).toHaveLength(1);
  expect((await listAuditLog(database, 'prc_kept', { limit: 5 })).entries).toEqual([entry]);
});
