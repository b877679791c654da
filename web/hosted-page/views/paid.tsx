import { Outcome } from '../parts/outcome.tsx';
import { Receipt } from '../parts/receipt.tsx';
import { texts } from '../language.ts';
import type { ViewProps } from '../view-of.ts';

export function Paid({ page: { session } }: ViewProps) {
  return (
    <Outcome tone="good" heading={texts.paid.heading}>
      <p>{texts.paid.thanks(session.practice.name)}</p>
      <Receipt session={session} />
    </Outcome>
  );
}
