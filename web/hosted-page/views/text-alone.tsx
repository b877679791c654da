import { Bill } from '../parts/facts.tsx';
import { Outcome, type Tone, type Sign } from '../parts/outcome.tsx';
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

const noAnswer =
  (sign: Sign, { heading, next }: { heading: string; next: string }) =>
  ({ busy, retry }: { busy: boolean; retry: () => Promise<void> }) => (
    <Outcome tone="neutral" sign={sign} heading={heading}>
      <p>{next}</p>
      <button type="button" class="primary" aria-disabled={busy} onClick={retry}>
        {busy ? texts.unreachable.retrying : texts.unreachable.retry}
      </button>
    </Outcome>
  );

export const Offline = noAnswer('offline', texts.offlineView);
export const Unreachable = noAnswer('offline', texts.unreachable);
export const ServiceBusy = noAnswer('clock', texts.serviceBusy);
