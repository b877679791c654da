import { Bill } from '../parts/bill.tsx';
import { ContactButton } from '../parts/contact.tsx';
import { Outcome } from '../parts/outcome.tsx';
import { practiceName } from '../format.ts';
import { texts } from '../language.ts';
import type { ViewProps } from '../view-of.ts';

export function Locked({ page: { session } }: ViewProps) {
  return (
    <Outcome tone="bad" sign="lock" heading={texts.locked.heading}>
      <p>
        {texts.locked.next(practiceName(session))} <strong>{texts.noMoneyTaken}</strong>
      </p>
      <ContactButton practice={session.practice} />
      <Bill session={session} />
    </Outcome>
  );
}
