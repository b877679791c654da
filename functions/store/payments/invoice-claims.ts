import * as z from 'zod/mini';
import { invoiceIdentity, type Session } from '../../domain/sessions/session.ts';
import type { Database } from '../database.ts';
import { expression } from '../expressions.ts';
import { get, getAll } from '../rows.ts';
import { deleteRow, put, type Part } from '../writes.ts';

const invoiceClaim = z.object({ claimId: z.string(), sessionId: z.string() });

type Claimant = Pick<Session, 'practiceId' | 'invoiceId' | 'sessionId'>;

export function claimInvoice(database: Database, session: Claimant): Part {
  const { sessionId } = session;
  const condition = expression`attribute_not_exists(claimId) OR sessionId = ${sessionId}`;
  return put(database, 'invoiceClaims', { claimId: claimIdOf(session), sessionId }, { condition });
}

/** Refused if another session has the claim. */
export function releaseInvoice(database: Database, session: Claimant): Part {
  const condition = expression`sessionId = ${session.sessionId}`;
  return deleteRow(database, 'invoiceClaims', { claimId: claimIdOf(session) }, condition);
}

export async function getClaimingSessionId(database: Database, session: Claimant): Promise<string | undefined> {
  return (await get(database, 'invoiceClaims', { claimId: claimIdOf(session) }, invoiceClaim))?.sessionId;
}

/** Maps each session whose invoice another session has claimed to that session. Eventually consistent. */
export async function getOtherClaimants(database: Database, sessions: readonly Claimant[]) {
  const keys = [...new Set(sessions.map(claimIdOf))].map((claimId) => ({ claimId }));
  const claims = await getAll(database, 'invoiceClaims', keys, invoiceClaim, { consistent: false });
  const claimants = new Map(claims.map((claim) => [claim.claimId, claim.sessionId]));
  const others = new Map<string, string>();
  for (const session of sessions) {
    const claimant = claimants.get(claimIdOf(session));
    if (claimant !== undefined && claimant !== session.sessionId) others.set(session.sessionId, claimant);
  }
  return others;
}

function claimIdOf({ practiceId, invoiceId }: Claimant): string {
  return `${practiceId}#${invoiceIdentity(invoiceId)}`;
}
