import { ContactButtons } from '../parts/contact.tsx';
import { Outcome } from '../parts/outcome.tsx';
import { practiceName } from '../format.ts';
import { texts } from '../language.ts';
import type { ViewProps } from '../view-of.ts';

export function Scrubbed({ page: { session } }: ViewProps) {
  return (
    <Outcome tone="neutral" heading={texts.scrubbed.heading}>
      <p>{texts.scrubbed.next(practiceName(session))}</p>
      <ContactButtons practice={session.practice} />
    </Outcome>
  );
}
