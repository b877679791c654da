import { Outcome, type Tone } from '../parts/outcome.tsx';
import { texts } from '../language.ts';

const textAlone =
  (tone: Tone, { heading, next }: { heading: string; next: string }) =>
  () => (
    <Outcome tone={tone} heading={heading}>
      <p>{next}</p>
    </Outcome>
  );

/** Another session has paid the same invoice. */
export const AlreadyPaid = textAlone('good', texts.alreadyPaid);
/** Another session pays the same invoice; whether this one may comes with that payment's outcome. */
export const PaymentInProgress = textAlone('waiting', texts.paymentInProgress);
export const UnknownLink = textAlone('neutral', texts.unknownLink);
