import type { Practice } from '../domain/practices/practice.ts';
import type { Session } from '../domain/sessions/session.ts';
import { hasUsedUpSignIns, type InvoiceBlock, type SessionBlock } from '../domain/sessions/session-status.ts';
import type { ReadingTools } from '../store/database.ts';
import { getClaimingSessionId, getOtherClaimants } from '../store/payments/invoice-claims.ts';
import { getSession, getSessions } from '../store/sessions/sessions.ts';

type Guarded = Pick<Practice, 'invoiceGuard'>;

interface InvoiceBlocker {
  readonly sessionId: string;
  readonly blockedBy: InvoiceBlock;
}

/** The other session that is paying, or has paid, this session's invoice. */
export async function findInvoiceBlocker(
  { database }: ReadingTools,
  session: Session,
  { invoiceGuard }: Guarded,
): Promise<InvoiceBlocker | undefined> {
  if (session.status !== 'pending' || !invoiceGuard) return undefined;
  const claimant = await getClaimingSessionId(database, session);
  if (claimant === undefined || claimant === session.sessionId) return undefined;
  return { sessionId: claimant, blockedBy: invoiceBlockOf(await getSession(database, claimant)) };
}

/** The other session that is paying, or has paid, the invoice since this session's payment failed or was returned. */
export async function findLaterPayingSession(
  { database }: ReadingTools,
  session: Session,
): Promise<string | undefined> {
  if (session.status !== 'failed' && session.return === undefined) return undefined;
  const claimant = await getClaimingSessionId(database, session);
  return claimant === session.sessionId ? undefined : claimant;
}

/** Why each of a practice's sessions cannot be paid, by session ID. Eventually consistent. */
export async function findBlocks(
  { database }: ReadingTools,
  sessions: readonly Session[],
  { invoiceGuard }: Guarded,
): Promise<ReadonlyMap<string, SessionBlock>> {
  const pending = sessions.filter(({ status }) => status === 'pending');
  const payers = await findPayingSessions({ database }, invoiceGuard ? pending : []);
  const blocks = new Map<string, SessionBlock>();
  for (const session of pending) {
    const block = blockOf(session, payers.get(session.sessionId));
    if (block) blocks.set(session.sessionId, block);
  }
  return blocks;
}

/** Whether another session is paying, or has paid, the invoice of each session, by session ID. Eventually consistent. */
export async function findPayingSessions(
  { database }: ReadingTools,
  sessions: readonly Session[],
): Promise<ReadonlyMap<string, InvoiceBlock>> {
  const claimants = await getOtherClaimants(database, sessions);
  const paying = await getSessions(database, [...new Set(claimants.values())], { consistent: false });
  const payingById = new Map(paying.map((claimant) => [claimant.sessionId, claimant]));
  return new Map([...claimants].map(([sessionId, claimant]) => [sessionId, invoiceBlockOf(payingById.get(claimant))]));
}

/** The invoice's block comes first: a new link would not help. */
export function blockOf(session: Session, byInvoice: InvoiceBlock | undefined): SessionBlock | undefined {
  return byInvoice ?? (hasUsedUpSignIns(session) ? 'bank_connection_locked' : undefined);
}

function invoiceBlockOf(claimant: Pick<Session, 'status'> | undefined): InvoiceBlock {
  return claimant?.status === 'succeeded' ? 'invoice_already_paid' : 'payment_in_progress';
}
