import { Outcome } from '../parts/outcome.tsx';
import { texts } from '../language.ts';

/** Another session has paid the same invoice. */
export function AlreadyPaid() {
  return (
    <Outcome tone="good" heading={texts.alreadyPaid.heading}>
      <p>{texts.alreadyPaid.next}</p>
    </Outcome>
  );
}
