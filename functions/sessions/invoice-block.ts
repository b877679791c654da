import type { InvoiceBlock } from '../domain/invoice-claim.ts';
import type { Database } from '../store/database.ts';
import { getClaimingSessionId } from '../store/invoice-claims.ts';
import { getSession } from '../store/sessions.ts';
import type { LinkHolder } from './find.ts';

/** Whether another session is paying, or has paid, this session's invoice. */
export async function findInvoiceBlock(
  { database }: { database: Database<'sessions' | 'invoiceClaims'> },
  { session, practice }: LinkHolder,
): Promise<InvoiceBlock | undefined> {
  if (session.status !== 'pending' || !practice.invoiceGuard) return undefined;
  const claimant = await getClaimingSessionId(database, session);
  if (claimant === undefined || claimant === session.sessionId) return undefined;
  const paying = await getSession(database, claimant);
  return paying?.status === 'succeeded' ? 'invoice_already_paid' : 'payment_in_progress';
}
