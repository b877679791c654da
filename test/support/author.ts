import { randomBytes } from 'node:crypto';
import { newAuditEntry, type AuditEntry, type Author } from '../../functions/domain/team/audit-entry.ts';

export const author: Author = {
  kind: 'user',
  userId: 'usr_ada',
  email: 'ada@lakeside.example',
  address: '192.0.2.1',
};

/** For store functions that write an audit entry with their change. */
export function anEntry(practiceId: string): AuditEntry {
  return newAuditEntry({ practiceId, author, action: 'practice.updated' }, Date.now(), randomBytes);
}
