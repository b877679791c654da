import * as z from 'zod/mini';
import { invoiceIdentity, type Session } from '../../domain/sessions/session.ts';
import type { Database } from '../database.ts';
import { expression } from '../expressions.ts';
import { get, getAll } from '../rows.ts';
import { deleteRow, put, type Part } from '../writes.ts';

const invoiceClaim = z.object({ claimId: z.string(), sessionId: z.string() });

type Claimant = Pick<Session, 'practiceId' | 'invoiceId' | 'sessionId'>;

/**
 * An earlier version claimed the invoice ID as it was sent, so a session whose ID has another identity claims both. They are
 * two parts of one transaction.
 */
export type ClaimParts = Readonly<Record<'claim' | 'claimAsSent', Part | undefined>>;

export function claimInvoice(database: Database, session: Claimant): ClaimParts {
  const { sessionId } = session;
  const condition = expression`attribute_not_exists(claimId) OR sessionId = ${sessionId}`;
  return partsOf(session, (claimId) => put(database, 'invoiceClaims', { claimId, sessionId }, { condition }));
}

/** A claim that is not this session's refuses. */
export function releaseInvoice(database: Database, session: Claimant): ClaimParts {
  const condition = expression`sessionId = ${session.sessionId}`;
  return partsOf(session, (claimId) => deleteRow(database, 'invoiceClaims', { claimId }, condition));
}

function partsOf(session: Claimant, partOf: (claimId: string) => Part): ClaimParts {
  const [claim, asSent] = claimIds(session);
  return { claim: partOf(claim), claimAsSent: asSent === undefined ? undefined : partOf(asSent) };
}

/** Another session, if one claims the invoice. */
export async function getClaimingSessionId(database: Database, session: Claimant): Promise<string | undefined> {
  const claims = await Promise.all(
    claimIds(session).map((claimId) => get(database, 'invoiceClaims', { claimId }, invoiceClaim)),
  );
  const claimants = claims.flatMap((claim) => claim?.sessionId ?? []);
  return claimants.find((claimant) => claimant !== session.sessionId) ?? claimants[0];
}

/** Maps each session whose invoice another session has claimed to that session. Eventually consistent. */
export async function getOtherClaimants(database: Database, sessions: readonly Claimant[]) {
  const keys = [...new Set(sessions.flatMap(claimIds))].map((claimId) => ({ claimId }));
  const claims = await getAll(database, 'invoiceClaims', keys, invoiceClaim, { consistent: false });
  const claimants = new Map(claims.map((claim) => [claim.claimId, claim.sessionId]));
  const others = new Map<string, string>();
  for (const session of sessions) {
    const other = claimIds(session)
      .map((claimId) => claimants.get(claimId))
      .find((claimant) => claimant !== undefined && claimant !== session.sessionId);
    if (other !== undefined) others.set(session.sessionId, other);
  }
  return others;
}

function claimIds({ practiceId, invoiceId }: Claimant): readonly [string, ...string[]] {
  const identity = invoiceIdentity(invoiceId);
  const asSent = identity === invoiceId ? [] : [`${practiceId}#${invoiceId}`];
  return [`${practiceId}#${identity}`, ...asSent];
}
