import { ContactButtons } from '../parts/contact.tsx';
import { Outcome } from '../parts/outcome.tsx';
import { Receipt } from '../parts/receipt.tsx';
import { practiceName } from '../format.ts';
import { texts } from '../language.ts';
import type { ViewProps } from '../view-of.ts';

export function Returned({ page: { session } }: ViewProps) {
  return (
    <Outcome tone="bad" heading={texts.returned.heading}>
      <p>
        {session.return && texts.reasons[session.return.code]} {texts.returned.next(practiceName(session))}
      </p>
      <ContactButtons practice={session.practice} />
      <Receipt session={session} />
    </Outcome>
  );
}
