import { Outcome, type Tone } from '../parts/outcome.tsx';
import { texts } from '../language.ts';

const textAlone =
  (tone: Tone, { heading, next }: { heading: string; next: string }) =>
  () => (
    <Outcome tone={tone} heading={heading}>
      <p>{next}</p>
    </Outcome>
  );

export const AlreadyPaid = textAlone('good', texts.alreadyPaid);
export const PaymentInProgress = textAlone('waiting', texts.paymentInProgress);
export const Suspended = textAlone('neutral', texts.suspended);
export const UnknownLink = textAlone('neutral', texts.unknownLink);
