import type { SessionView } from '../../../functions/contract/patient-api/session-view.ts';
import { formatAmount, formatBankAccount, formatDate, formatPatient, formatTime, practiceName } from '../format.ts';
import { texts } from '../language.ts';
import { Facts } from './facts.tsx';

export function Receipt({ session }: { session: SessionView }) {
  const { receipt, bankAccount } = session;
  if (!receipt) return null;
  const { authorizationText, authorizationLocale, practice } = receipt;
  const isDebited = session.status === 'processing' || session.status === 'succeeded';
  return (
    <section class="receipt" aria-labelledby="receipt-heading">
      <h2 id="receipt-heading">{isDebited ? texts.receipt.heading : texts.receipt.headingUnpaid}</h2>
      <Facts
        facts={[
          [texts.receipt.status, stateOf(session)],
          [texts.receipt.amount, formatAmount(session)],
          [texts.receipt.practice, practice.name],
          [
            texts.receipt.contact,
            [practice.supportPhone, practice.supportEmail].filter(Boolean).join('\u00a0· ') || undefined,
          ],
          [texts.receipt.invoice, session.invoiceId],
          [texts.receipt.patient, session.patient && formatPatient(session.patient)],
          [texts.receipt.bank, bankAccount && formatBankAccount(bankAccount)],
          [texts.receipt.authorizedAt, formatTime(receipt.authorizedAt)],
          [texts.receipt.expectedDebit, isDebited ? formatDate(receipt.expectedDebitDate) : undefined],
          [texts.receipt.statementText, isDebited ? receipt.statementText : undefined],
          [texts.receipt.number, receipt.receiptNumber],
        ]}
      />
      <details>
        <summary>{texts.receipt.authorization}</summary>
        <p class="authorization" lang={authorizationLocale}>
          {authorizationText}
        </p>
      </details>
      {/* Again for paper, where nothing unfolds. */}
      <div class="printed">
        <h3>{texts.receipt.authorization}</h3>
        <p lang={authorizationLocale}>{authorizationText}</p>
      </div>
      <p class="hint">{texts.receipt.itemized(practiceName(session))}</p>
      <button type="button" class="secondary" onClick={() => print()}>
        {texts.receipt.print}
      </button>
      {session.sandbox && (
        <p class="watermark printed" aria-hidden="true">
          SANDBOX
        </p>
      )}
    </section>
  );
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
      return session.return
        ? states.returned(since(session.return.returnedAt))
        : states.paid(since(session.receipt?.settledAt));
    case 'failed':
      return states.failed(since(session.failedAt));
    case 'cancelled':
      return states.cancelled(since(session.cancelledAt));
    default: {
      const never: never = session.status;
      return never;
    }
  }
}
