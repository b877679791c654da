import { Outcome } from '../parts/outcome.tsx';
import { texts } from '../language.ts';

const noAnswer =
  ({ heading, next }: { heading: string; next: string }) =>
  ({ busy, retry }: { busy: boolean; retry: () => Promise<void> }) => (
    <Outcome tone="neutral" heading={heading}>
      <p>{next}</p>
      <button type="button" class="primary" aria-disabled={busy} onClick={retry}>
        {busy ? texts.unreachable.retrying : texts.unreachable.retry}
      </button>
    </Outcome>
  );

export const Offline = noAnswer(texts.offlineView);
export const Unreachable = noAnswer(texts.unreachable);
export const ServiceBusy = noAnswer(texts.serviceBusy);
