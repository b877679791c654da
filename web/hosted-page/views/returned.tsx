import { CallButton } from '../parts/contact.tsx';
import { Outcome } from '../parts/outcome.tsx';
import { Receipt } from '../parts/receipt.tsx';
import { texts } from '../language.ts';
import type { ViewProps } from '../view-of.ts';

/** Settled once, then taken back by the bank. */
export function Returned({ page: { session } }: ViewProps) {
  return (
    <Outcome tone="bad" heading={texts.returned.heading}>
      <p>
        {session.return && texts.reasons[session.return.code]} {texts.returned.next(session.practice.name)}
      </p>
      <CallButton practice={session.practice} />
      <Receipt session={session} />
    </Outcome>
  );
}
