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

/** The device says that it is offline. It may be wrong, so trying again stays possible. */
export const Offline = noAnswer(texts.offlineView);
export const Unreachable = noAnswer(texts.unreachable);
/** The patient's connection is well, and the page tries again by itself. */
export const ServiceBusy = noAnswer(texts.serviceBusy);
