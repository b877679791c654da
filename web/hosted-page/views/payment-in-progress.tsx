import { Outcome } from '../parts/outcome.tsx';
import { texts } from '../language.ts';

/** Another session pays the same invoice; whether this one may comes with that payment's outcome. */
export function PaymentInProgress() {
  return (
    <Outcome tone="waiting" heading={texts.paymentInProgress.heading}>
      <p>{texts.paymentInProgress.next}</p>
    </Outcome>
  );
}
