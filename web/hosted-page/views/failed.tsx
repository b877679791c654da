import { ContactButtons } from '../parts/contact.tsx';
import { Outcome } from '../parts/outcome.tsx';
import { Receipt } from '../parts/receipt.tsx';
import { practiceName } from '../format.ts';
import { texts } from '../language.ts';
import type { ViewProps } from '../view-of.ts';

export function Failed({ page: { session } }: ViewProps) {
  return (
    <Outcome tone="bad" heading={texts.failed.heading}>
      <p>
        {session.failure && texts.reasons[session.failure.code]} <strong>{texts.noMoneyTaken}</strong>
      </p>
      <p>{texts.failed.next(practiceName(session))}</p>
      <ContactButtons practice={session.practice} />
      <Receipt session={session} />
    </Outcome>
  );
}
