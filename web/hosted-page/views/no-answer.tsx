import { Outcome, type Sign } from '../parts/outcome.tsx';
import { texts } from '../language.ts';

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
