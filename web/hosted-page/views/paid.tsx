import { Outcome } from '../parts/outcome.tsx';
import { Receipt } from '../parts/receipt.tsx';
import { formatAmount, practiceName } from '../format.ts';
import { texts } from '../language.ts';
import type { ViewProps } from '../view-of.ts';

export function Paid({ page: { session } }: ViewProps) {
  return (
    <Outcome tone="good" heading={texts.paid.heading(formatAmount(session))}>
      <p>
        {texts.paid.thanks(practiceName(session))} {texts.paid.keep}
      </p>
      <Receipt session={session} />
    </Outcome>
  );
}
