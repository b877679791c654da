import { Bill } from '../parts/bill.tsx';
import { ContactButton } from '../parts/contact.tsx';
import { Outcome } from '../parts/outcome.tsx';
import { practiceName } from '../format.ts';
import { texts } from '../language.ts';
import type { ViewProps } from '../view-of.ts';

export function Expired({ page: { session } }: ViewProps) {
  return (
    <Outcome tone="neutral" sign="clock" heading={texts.expired.heading}>
      <p>
        <strong>{texts.noMoneyTaken}</strong> {texts.expired.next(practiceName(session))}
      </p>
      <ContactButton practice={session.practice} />
      <Bill session={session} />
    </Outcome>
  );
}
