import { Bill } from '../parts/bill.tsx';
import { ContactButtons } from '../parts/contact.tsx';
import { Outcome, type Sign, type Tone } from '../parts/outcome.tsx';
import { practiceName } from '../format.ts';
import { texts } from '../language.ts';
import type { ViewProps } from '../view-of.ts';

interface Words {
  readonly heading: string;
  next(practice: string): string;
}

/** Only the practice can help. */
const unpaid =
  (tone: Tone, sign: Sign, { heading, next }: Words) =>
  ({ page: { session } }: ViewProps) => (
    <Outcome tone={tone} sign={sign} heading={heading}>
      <p>
        <strong>{texts.noMoneyTaken}</strong> {next(practiceName(session))}
      </p>
      <ContactButtons practice={session.practice} />
      <Bill session={session} />
    </Outcome>
  );

export const Expired = unpaid('neutral', 'clock', texts.expired);
export const Locked = unpaid('bad', 'lock', texts.locked);
export const Suspended = unpaid('neutral', 'neutral', texts.suspended);
