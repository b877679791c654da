import { Facts } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { formatAmount, formatBankAccount, formatFullName } from '../format.ts';
import { texts } from '../texts.ts';
import type { ViewProps } from '../view-of.ts';

/** What will be debited from where, the authorisation in full, and the one button that accepts it. */
export function Review({ page: { session, busy, notice }, actions }: ViewProps) {
  const { bankAccount, authorization } = session;
  if (!bankAccount || !authorization) return null;
  return (
    <>
      <h1 tabIndex={-1}>{texts.review.heading}</h1>
      <Notice text={notice && texts.notice(notice)} />
      <Facts
        facts={[
          [texts.receipt.amount, formatAmount(session)],
          [texts.receipt.practice, session.practice.name],
          [texts.receipt.invoice, session.invoiceId],
          [texts.receipt.patient, formatFullName(session.patient)],
          [texts.receipt.bank, formatBankAccount(bankAccount)],
        ]}
      />
      <h2>{texts.review.authorization}</h2>
      <p class="authorization">{authorization.text}</p>
      <div class="action-bar">
        <button type="button" class="primary" aria-disabled={busy} onClick={() => actions.authorizePayment(authorization.id)}>
          {busy ? texts.review.authorizing : texts.review.authorize(formatAmount(session))}
        </button>
      </div>
      {session.bankConnectionAttemptsRemaining > 0 && (
        <button type="button" class="plain" onClick={actions.startSignIn}>
          {texts.review.otherAccount}
        </button>
      )}
    </>
  );
}
