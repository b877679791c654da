import * as z from 'zod/mini';
import type { Session } from '../../domain/sessions/session.ts';
import type { Database } from '../database.ts';
import { expression } from '../expressions.ts';
import { get, getAll } from '../rows.ts';
import { deleteRow, put, type Part } from '../writes.ts';

const invoiceClaim = z.object({ claimId: z.string(), sessionId: z.string() });

type Claims = Database<'invoiceClaims'>;
type Claimant = Pick<Session, 'practiceId' | 'invoiceId' | 'sessionId'>;

export function claimInvoice(database: Claims, session: Claimant): Part {
  const { sessionId } = session;
  const condition = expression`attribute_not_exists(claimId) OR sessionId = ${sessionId}`;
  return put(database, 'invoiceClaims', { claimId: claimId(session), sessionId }, { condition });
}

export function releaseInvoice(database: Claims, session: Claimant): Part {
  const condition = expression`sessionId = ${session.sessionId}`;
  return deleteRow(database, 'invoiceClaims', { claimId: claimId(session) }, condition);
}

export async function getClaimingSessionId(database: Claims, session: Claimant): Promise<string | undefined> {
  const claim = await get(database, 'invoiceClaims', { claimId: claimId(session) }, invoiceClaim);
  return claim?.sessionId;
}

/** Maps each session whose invoice another session has claimed to that session. Eventually consistent. */
export async function getOtherClaimants(
  database: Claims,
  sessions: readonly Claimant[],
): Promise<ReadonlyMap<string, string>> {
  const keys = [...new Set(sessions.map(claimId))].map((id) => ({ claimId: id }));
  const claims = await getAll(database, 'invoiceClaims', keys, invoiceClaim, { consistent: false });
  const claimants = new Map(claims.map((claim) => [claim.claimId, claim.sessionId]));
  const others = new Map<string, string>();
  for (const session of sessions) {
    const claimant = claimants.get(claimId(session));
    if (claimant !== undefined && claimant !== session.sessionId) others.set(session.sessionId, claimant);
  }
  return others;
}

function claimId({ practiceId, invoiceId }: Claimant): string {
  return `${practiceId}#${invoiceId}`;
}
