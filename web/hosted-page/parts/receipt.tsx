import type { SessionView } from '../../../functions/contract/patient-api.ts';
import { formatAmount, formatBankAccount, formatFullName, formatTime } from '../format.ts';
import { texts } from '../texts.ts';
import { Facts } from './facts.tsx';

/** The facts of an authorised payment, as they stand now. */
export function Receipt({ session }: { session: SessionView }) {
  const { receipt, bankAccount } = session;
  if (!receipt) return null;
  const time = (at: string | undefined) => at && formatTime(at);
  return (
    <section class="receipt" aria-labelledby="receipt-heading">
      <h2 id="receipt-heading">{texts.receipt.heading}</h2>
      <Facts
        facts={[
          [texts.receipt.amount, formatAmount(session)],
          [texts.receipt.practice, session.practice.name],
          [texts.receipt.invoice, session.invoiceId],
          [texts.receipt.patient, formatFullName(session.patient)],
          [texts.receipt.bank, bankAccount && formatBankAccount(bankAccount)],
          [texts.receipt.authorizedAt, formatTime(receipt.authorizedAt)],
          [texts.receipt.settledAt, time(receipt.settledAt)],
          [texts.receipt.failedAt, time(session.failedAt)],
          [texts.receipt.cancelledAt, time(session.cancelledAt)],
          [texts.receipt.returnedAt, time(session.return?.returnedAt)],
          [texts.receipt.number, receipt.receiptNumber],
        ]}
      />
      <details>
        <summary>{texts.receipt.authorization}</summary>
        <p class="authorization">{receipt.authorizationText}</p>
      </details>
    </section>
  );
}
