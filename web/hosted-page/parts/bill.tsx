import type { SessionView } from '../../../functions/contract/sessions/session-view.ts';
import { formatAmount } from '../format.ts';
import { texts } from '../language.ts';
import { Facts } from './facts.tsx';

/** The bill that an outcome without a receipt is about. */
export function Bill({ session }: { session: SessionView }) {
  return (
    <Facts
      facts={[
        [texts.owed.invoice, session.invoiceId],
        [texts.receipt.amount, formatAmount(session)],
      ]}
    />
  );
}

export function AmountToPay({ session, children }: { session: SessionView; children?: string }) {
  return (
    <p class="hint">
      {texts.amountToPay}: <strong>{formatAmount(session)}</strong>
      {children && `. ${children}`}
    </p>
  );
}
