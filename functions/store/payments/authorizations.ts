import { evidence, type Evidence } from '../../domain/payments/evidence.ts';
import type { Database } from '../database.ts';
import { get, getAll } from '../rows.ts';
import { putNew, type Part } from '../writes.ts';

export function putEvidence(database: Database, row: Evidence): Part {
  return putNew(database, 'authorizations', row, 'sessionId');
}

export async function getEvidence(database: Database, sessionId: string) {
  return get(database, 'authorizations', { sessionId }, evidence);
}

/** The evidence of the sessions that have any, in no particular order. */
export async function evidenceOf(database: Database, sessionIds: readonly string[]) {
  const keys = sessionIds.map((sessionId) => ({ sessionId }));
  return getAll(database, 'authorizations', keys, evidence);
}
