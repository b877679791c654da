import { Bill } from '../parts/bill.tsx';
import { Outcome } from '../parts/outcome.tsx';
import { Receipt } from '../parts/receipt.tsx';
import { practiceName } from '../format.ts';
import { texts } from '../language.ts';
import type { ViewProps } from '../view-of.ts';

export function NotRequired({ page: { session } }: ViewProps) {
  return (
    <Outcome tone="neutral" heading={texts.notRequired.heading}>
      <p>
        {texts.notRequired.next(practiceName(session))} <strong>{texts.noMoneyTaken}</strong>
      </p>
      {session.receipt ? <Receipt session={session} /> : <Bill session={session} />}
    </Outcome>
  );
}
