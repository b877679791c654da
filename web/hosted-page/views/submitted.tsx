import { Outcome } from '../parts/outcome.tsx';
import { Receipt } from '../parts/receipt.tsx';
import { texts } from '../language.ts';
import type { ViewProps } from '../view-of.ts';

/** Never call it paid before it has settled. */
export function Submitted({ page: { session } }: ViewProps) {
  return (
    <Outcome tone="waiting" heading={texts.submitted.heading}>
      <p>{texts.submitted.wait}</p>
      <Receipt session={session} />
    </Outcome>
  );
}
