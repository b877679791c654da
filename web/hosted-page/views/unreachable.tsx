import { Outcome } from '../parts/outcome.tsx';
import { texts } from '../language.ts';

export function Unreachable({ busy, retry }: { busy: boolean; retry: () => Promise<void> }) {
  return (
    <Outcome tone="neutral" heading={texts.unreachable.heading}>
      <p>{texts.unreachable.next}</p>
      <button type="button" class="primary" aria-disabled={busy} onClick={retry}>
        {busy ? texts.unreachable.retrying : texts.unreachable.retry}
      </button>
    </Outcome>
  );
}
