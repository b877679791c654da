import type { BankDebit } from './bank.ts';
import { centsOf, type Observed, type SessionRow } from './observed.ts';

// Nothing here runs the product's code: it states again what must hold, in terms of rows, events, webhooks and the bank's own books.

/** What a direct charge leaves in its account. One that was refunded and then returned leaves less than nothing. */
function ownCents(debit: BankDebit): number {
  return (debit.state === 'paid' ? debit.cents : 0) - centsOf(debit, 'given');
}

/** A refund reverses its share of the transfer even if the refund fails; a return reverses the rest. */
function transferredCents({ state, cents, refunds }: BankDebit): number {
  return state === 'paid' ? cents - refunds.reduce((sum, refund) => sum + refund.cents, 0) : 0;
}

/** The processor may not say which debit a booking is about, so a practice's are added up. */
export function checkBooks(sessions: readonly SessionRow[], { rows, debits, chargeType }: Observed): string[] {
  const ownerOf = new Map(sessions.map(({ sessionId, practiceId }) => [sessionId, practiceId]));
  const practiceIds = new Set(rows.practices.map((row) => String(row['practiceId'])));
  return [...practiceIds].flatMap((practiceId) => {
    const own = debits.filter(({ sessionId }) => ownerOf.get(sessionId) === practiceId);
    const cents = own.reduce(
      (sum, debit) => sum + (chargeType === 'direct' ? ownCents(debit) : transferredCents(debit)),
      0,
    );
    const booked = rows.bookings
      .filter((row) => row['practiceId'] === practiceId && !String(row['category']).startsWith('payout'))
      .reduce((sum, row) => sum + Number(row['amountCents']), 0);
    return booked === cents ? [] : [`the books of ${practiceId} add up to ${booked} cents, the bank's to ${cents}`];
  });
}

/** Whether its money is still there: not returned, and not refunded in full. */
function keepsMoney({ status, amountCents, ...session }: SessionRow): boolean {
  const { refund } = session;
  const isGivenBack = (refund?.amountCents ?? 0) - (refund?.pendingCents ?? 0) >= amountCents;
  return status === 'processing' || (status === 'succeeded' && session.return === undefined && !isGivenBack);
}

export function checkInvoices(sessions: readonly SessionRow[], { rows, guarded }: Observed): string[] {
  const identity = ({ practiceId, invoiceId }: SessionRow) => `${practiceId}#${invoiceId.trim()}`;
  const paying = Map.groupBy(
    sessions.filter((session) => guarded.has(session.practiceId) && keepsMoney(session)),
    identity,
  );
  const found = [...paying].flatMap(([invoice, those]) =>
    // A refund that fails after another session claimed the invoice raises an alarm instead.
    those.filter(({ refund }) => !refund?.failedCents).length > 1
      ? [`${invoice} is paid by ${those.map(({ sessionId }) => sessionId).join(' and ')}`]
      : [],
  );
  for (const { claimId, sessionId } of rows.invoiceClaims) {
    const holder = sessions.find((session) => session.sessionId === sessionId);
    if (!holder || !keepsMoney(holder))
      found.push(`${String(claimId)} is claimed by ${String(sessionId)}, which is ${holder?.status ?? 'missing'}`);
  }
  for (const session of [...paying.values()].flat())
    if (!session.refund?.failedCents && !rows.invoiceClaims.some(({ sessionId }) => sessionId === session.sessionId))
      found.push(`${session.sessionId} (${session.status}) does not claim its invoice`);
  return found;
}
