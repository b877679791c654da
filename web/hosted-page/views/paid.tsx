import { Outcome } from '../parts/outcome.tsx';
import { Receipt } from '../parts/receipt.tsx';
import { practiceName } from '../format.ts';
import { texts } from '../language.ts';
import type { ViewProps } from '../view-of.ts';

export function Paid({ page: { session } }: ViewProps) {
  return (
    <Outcome tone="good" heading={texts.paid.heading}>
      <p>{texts.paid.thanks(practiceName(session))}</p>
      <Receipt session={session} />
    </Outcome>
  );
}
