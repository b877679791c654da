import { useEffect, useState } from 'preact/hooks';
import { Authorization } from '../parts/authorization.tsx';
import { Facts } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { TimeLeft, TimeWarning } from '../parts/time-left.tsx';
import { formatAmount, formatBankAccount, formatPatient } from '../format.ts';
import { texts } from '../language.ts';
import type { ViewProps } from '../view-of.ts';

/** In milliseconds. A second tap on the previous button must not accept. */
const tooSoonToHaveRead = 1_000;

function useCanBeAccepted(text: string): boolean {
  const [seen, setSeen] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setSeen(text), tooSoonToHaveRead);
    return () => clearTimeout(timer);
  }, [text]);
  return seen === text;
}

export function Review({ page: { session, busy, notice }, actions }: ViewProps) {
  const { bankAccount, authorization } = session;
  const canBeAccepted = useCanBeAccepted(JSON.stringify([bankAccount, authorization]));
  if (!bankAccount || !authorization) return null;
  const waiting = notice === 'checking_payment' ? texts.review.checking : texts.review.authorizing;
  return (
    <>
      <h1 tabIndex={-1}>{texts.review.heading}</h1>
      <Facts
        facts={[
          [texts.review.amount, formatAmount(session)],
          [texts.owed.invoice, session.invoiceId],
          [texts.review.patient, session.patient && formatPatient(session.patient)],
          [texts.review.bank, formatBankAccount(bankAccount)],
        ]}
      />
      <Authorization {...authorization}>
        <Notice name={notice} />
        <TimeWarning session={session} />
        <button
          type="button"
          class="primary"
          aria-disabled={busy || !canBeAccepted}
          onClick={() => canBeAccepted && actions.authorizePayment(authorization.id)}
        >
          {busy && notice !== 'picking_bank' ? waiting : texts.review.authorize(formatAmount(session))}
        </button>
      </Authorization>
      {session.bankConnectionAttemptsRemaining > 0 && !busy && (
        <button type="button" class="plain" onClick={actions.startBankStep}>
          {texts.review.otherAccount}
        </button>
      )}
      <TimeLeft session={session} />
    </>
  );
}
