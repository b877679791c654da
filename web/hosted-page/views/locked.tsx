import { Outcome } from '../parts/outcome.tsx';
import { texts } from '../texts.ts';
import type { ViewProps } from '../view-of.ts';

/** The bank's sign-in failed too often. */
export function Locked({ page: { session } }: ViewProps) {
  return (
    <Outcome tone="bad" heading={texts.locked.heading}>
      <p>
        {texts.locked.next(session.practice.name)} <strong>{texts.noMoneyTaken}</strong>
      </p>
    </Outcome>
  );
}
