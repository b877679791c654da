import type { SessionView } from '../../../functions/contract/sessions/session-view.ts';
import {
  texts,
  formatAmount,
  formatBankAccount,
  formatDate,
  formatPatient,
  formatTime,
  practiceName,
} from '../language.ts';
import { Facts, paragraphsOf } from './facts.tsx';

/** A confirmation until the payment settles, then a receipt; or the details of a failed, returned or refunded payment. */
export function Receipt({ session }: { session: SessionView }) {
  const { receipt, bankAccount, status, expectedDebitDate } = session;
  if (!receipt) return null;
  const { authorizationText, authorizationLocale, practice } = receipt;
  const isPaid = status === 'succeeded' && !session.return;
  const heading = headingOf(session);
  const state = stateOf(session);
  const share = () =>
    navigator
      .share({
        text: [
          heading,
          `${formatAmount(session)}, ${practice.name}`,
          state,
          `${texts.receipt.number}: ${receipt.receiptNumber}`,
        ].join('\n'),
      })
      // The patient canceled the share.
      .catch(() => {});
  return (
    <section class="receipt" aria-labelledby="receipt-heading">
      <h2 id="receipt-heading">{heading}</h2>
      <Facts
        facts={[
          [texts.receipt.status, state],
          [texts.receipt.amount, formatAmount(session)],
          [isPaid ? texts.receipt.paidTo : texts.review.payTo, <Payee session={session} />],
        ]}
      />
      <Facts
        facts={[
          [isPaid ? texts.receipt.paidFrom : texts.review.payFrom, bankAccount && formatBankAccount(bankAccount)],
          [texts.review.payer, receipt.payerName],
          [texts.receipt.authorizedAt, formatTime(receipt.authorizedAt)],
          [texts.review.debitDate, expectedDebitDate && texts.review.orLater(formatDate(expectedDebitDate))],
          [
            texts.receipt.statementText,
            status === 'processing' || status === 'succeeded' ? receipt.statementText : undefined,
          ],
        ]}
      />
      <Facts
        facts={[
          [texts.owed.invoice, session.invoiceId],
          [texts.owed.patient, session.patient && formatPatient(session.patient)],
          [texts.receipt.number, receipt.receiptNumber],
        ]}
      />
      <details>
        <summary>{texts.review.authorization}</summary>
        <div class="authorization" lang={authorizationLocale} translate={false}>
          {paragraphsOf(authorizationText)}
        </div>
      </details>
      {/* Repeated for printing, because nothing unfolds on paper. */}
      <div class="printed">
        <h3>{texts.review.authorization}</h3>
        <div lang={authorizationLocale} translate={false}>
          {paragraphsOf(authorizationText)}
        </div>
      </div>
      {isReceipt(session) && <p class="hint">{texts.receipt.itemized(practiceName(session))}</p>}
      {/* In-app browsers often lack one or both. */}
      {typeof print === 'function' && (
        <button type="button" class="secondary" onClick={() => print()}>
          {texts.receipt.print}
        </button>
      )}
      {typeof navigator.share === 'function' && (
        <button type="button" class="secondary" onClick={share}>
          {texts.receipt.share}
        </button>
      )}
      {session.sandbox && (
        <p class="watermark printed" aria-hidden="true">
          SANDBOX
        </p>
      )}
    </section>
  );
}

/** Only the printed page lacks a footer with the practice's contact. */
function Payee({ session: { receipt, practice } }: { session: SessionView }) {
  const { name, supportPhone, supportEmail } = receipt?.practice ?? practice;
  return (
    <>
      <bdi>{name}</bdi>{' '}
      {practice.postalAddress && (
        <span class="postal-address" dir="ltr">
          {practice.postalAddress}
        </span>
      )}
      <span class="printed" dir="ltr">
        {[supportPhone, supportEmail].filter(Boolean).join('\n')}
      </span>
    </>
  );
}

/** A payment that was refunded in full needs no receipt. */
export function isReceipt({ status, return: returned, refund, amountCents }: SessionView): boolean {
  return status === 'succeeded' && !returned && (refund?.amountCents ?? 0) < amountCents;
}

export function refundsOf({ refund, currency }: SessionView): string {
  if (!refund) return '';
  const { amountCents, pendingCents = 0, refundedAt } = refund;
  const { refunded, refundPending } = texts.receipt.states;
  const said = (words: typeof refunded, cents: number) =>
    cents > 0 && `${words(formatAmount({ amountCents: cents, currency }), formatDate(refundedAt))}.`;
  return [said(refunded, amountCents - pendingCents), said(refundPending, pendingCents)].filter(Boolean).join(' ');
}

function headingOf(session: SessionView): string {
  if (session.status === 'processing') return texts.receipt.confirmation;
  return isReceipt(session) ? texts.receipt.heading : texts.receipt.details;
}

function stateOf(session: SessionView): string | undefined {
  const { states } = texts.receipt;
  const since = (time: string | undefined) => (time === undefined ? '' : formatDate(time));
  switch (session.status) {
    case 'pending':
      return undefined;
    case 'processing':
      return states.submitted(since(session.receipt?.authorizedAt));
    case 'succeeded':
      return [
        session.return && states.returned(since(session.return.returnedAt)),
        isReceipt(session) && states.paid(since(session.receipt?.settledAt)),
        refundsOf(session),
      ]
        .filter(Boolean)
        .join('. ');
    case 'failed':
      return states.failed(since(session.failedAt));
    case 'cancelled':
      return states.cancelled(since(session.cancelledAt));
  }
}
