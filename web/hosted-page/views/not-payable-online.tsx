import { CallButton } from '../parts/contact.tsx';
import { Facts } from '../parts/facts.tsx';
import { Outcome } from '../parts/outcome.tsx';
import { formatAmount, practiceName } from '../format.ts';
import { texts } from '../language.ts';
import type { ViewProps } from '../view-of.ts';

export function NotPayableOnline({ page: { session } }: ViewProps) {
  return (
    <Outcome tone="neutral" heading={texts.notPayableOnline.heading}>
      <p>
        <strong>{texts.noMoneyTaken}</strong> {texts.notPayableOnline.next(practiceName(session))}
      </p>
      <Facts
        facts={[
          [texts.owed.invoice, session.invoiceId],
          [texts.review.amount, formatAmount(session)],
        ]}
      />
      <CallButton practice={session.practice} />
    </Outcome>
  );
}
