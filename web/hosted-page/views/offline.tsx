import { Outcome } from '../parts/outcome.tsx';
import { texts } from '../language.ts';

/** The device says that it is offline. It may be wrong, so trying again stays possible. */
export function Offline({ busy, retry }: { busy: boolean; retry: () => Promise<void> }) {
  return (
    <Outcome tone="neutral" heading={texts.offlineView.heading}>
      <p>{texts.offlineView.next}</p>
      <button type="button" class="primary" aria-disabled={busy} onClick={retry}>
        {busy ? texts.unreachable.retrying : texts.unreachable.retry}
      </button>
    </Outcome>
  );
}
