import type { SessionView } from '../../../functions/contract/sessions/session-view.ts';
import { Bill } from '../parts/facts.tsx';
import { CopyState } from '../parts/copy.tsx';
import { ContactButtons } from '../parts/contact.tsx';
import { Notice } from '../parts/notice.tsx';
import { Outcome, type Sign, type Tone } from '../parts/outcome.tsx';
import { formatAmount, formatDate, practiceName } from '../format.ts';
import { texts } from '../language.ts';
import type { ViewProps } from '../view-of.ts';
import { Receipt, refundsOf } from '../parts/receipt.tsx';

interface Words {
  heading: string | ((practice: string) => string);
  next(practice: string): string;
}

/** Only the practice can help. */
const unpaid =
  (tone: Tone, sign: Sign, { heading, next }: Words) =>
  ({ page: { session } }: ViewProps) => (
    <Outcome tone={tone} sign={sign} heading={typeof heading === 'string' ? heading : heading(practiceName(session))}>
      <p>
        <strong>{texts.noMoneyTaken}</strong> {next(practiceName(session))}
      </p>
      <ContactButtons practice={session.practice} />
      <Bill session={session} />
    </Outcome>
  );

export const LinkRequested = unpaid('good', 'good', texts.linkRequested);
export const Locked = unpaid('bad', 'lock', texts.locked);
export const Suspended = unpaid('neutral', 'neutral', texts.suspended);

export function Expired({ page: { session, busy, notice }, actions }: ViewProps) {
  return (
    <Outcome tone="neutral" sign="clock" heading={texts.expired.heading}>
      <p>
        <strong>{texts.noMoneyTaken}</strong> {texts.expired.next(practiceName(session))}
      </p>
      <Notice name={notice} />
      {session.linkRequest === 'possible' && (
        <button type="button" class="primary" aria-disabled={busy} onClick={() => void actions.askForNewLink()}>
          {busy ? texts.expired.asking : texts.expired.ask}
        </button>
      )}
      <ContactButtons practice={session.practice} />
      <Bill session={session} />
    </Outcome>
  );
}

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

export function Paid({ page: { session, copy } }: ViewProps) {
  const shownUntil = session.receipt?.shownUntil;
  return (
    <Outcome tone="good" heading={texts.paid.heading(formatAmount(session))}>
      <p>
        {texts.paid.thanks(practiceName(session))} {shownUntil && texts.paid.keep(formatDate(shownUntil))}
      </p>
      <Refunds session={session} />
      <CopyState copy={copy} />
      <Receipt session={session} />
    </Outcome>
  );
}

/** All of it was given back, or is on its way. */
export function Refunded({ page: { session } }: ViewProps) {
  const isPending = isRefundPending(session);
  return (
    <Outcome
      tone={isPending ? 'waiting' : 'neutral'}
      heading={isPending ? texts.refunded.pendingHeading : texts.refunded.heading}
    >
      <Refunds session={session} />
      <p>{texts.refunded.next(practiceName(session))}</p>
      <ContactButtons practice={session.practice} />
      <Receipt session={session} />
    </Outcome>
  );
}

function Refunds({ session }: { session: SessionView }) {
  if (!session.refund) return null;
  return (
    <p>
      {refundsOf(session)} {isRefundPending(session) && texts.refunded.wait}
    </p>
  );
}

function isRefundPending({ refund }: SessionView): boolean {
  return (refund?.pendingCents ?? 0) > 0;
}

export function Returned({ page: { session } }: ViewProps) {
  return (
    <Outcome tone="bad" heading={texts.returned.heading}>
      <p>
        {session.return && texts.reasons[session.return.code]} {texts.returned.next(practiceName(session))}
      </p>
      <Refunds session={session} />
      <ContactButtons practice={session.practice} />
      <Receipt session={session} />
    </Outcome>
  );
}

export function Scrubbed({ page: { session } }: ViewProps) {
  return (
    <Outcome tone="neutral" heading={texts.scrubbed.heading}>
      <p>{texts.scrubbed.next(practiceName(session))}</p>
      <ContactButtons practice={session.practice} />
    </Outcome>
  );
}

/** Never call it paid before it has settled. */
export function Submitted({ page: { session, copy } }: ViewProps) {
  return (
    <Outcome tone="waiting" heading={texts.submitted.heading}>
      <p>{texts.submitted.wait}</p>
      <CopyState copy={copy} />
      <Receipt session={session} />
    </Outcome>
  );
}
