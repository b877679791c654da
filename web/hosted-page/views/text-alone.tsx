import { Bill } from '../parts/facts.tsx';
import { Outcome, type Tone } from '../parts/outcome.tsx';
import { texts } from '../language.ts';
import type { ViewProps } from '../view-of.ts';

interface Words {
  readonly heading: string;
  readonly next: string;
}

const textAlone =
  (tone: Tone, { heading, next }: Words) =>
  ({ page: { session } }: ViewProps) => (
    <Outcome tone={tone} heading={heading}>
      <p>{next}</p>
      <Bill session={session} />
    </Outcome>
  );

export const AlreadyPaid = textAlone('good', texts.alreadyPaid);
export const PaymentInProgress = textAlone('waiting', texts.paymentInProgress);

export function UnknownLink() {
  return (
    <Outcome tone="neutral" sign="question" heading={texts.unknownLink.heading}>
      <p>{texts.unknownLink.next}</p>
    </Outcome>
  );
}
