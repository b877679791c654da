import type { ComponentChildren } from 'preact';
import type { SessionView } from '../../../functions/contract/sessions/session-view.ts';
import { Bill } from '../parts/facts.tsx';
import { CopyState } from '../parts/copy.tsx';
import { ContactButtons } from '../parts/contact.tsx';
import { Notice } from '../parts/notice.tsx';
import { texts, formatAmount, formatDate, practiceName } from '../language.ts';
import type { ViewProps } from '../view-of.ts';
import { Receipt, refundsOf } from '../parts/receipt.tsx';

type Tone = 'good' | 'waiting' | 'bad' | 'neutral';

const clock = 'M12 7v5.5l3.5 2';
const drawings = {
  good: 'M7 12.5l3.5 3.5L17 9',
  waiting: clock,
  bad: 'M12 6.5v7M12 17v.5',
  neutral: 'M12 11v6M12 7v.5',
  clock,
  lock: 'M8 11.5h8v5H8zM9.5 11V9.5a2.5 2.5 0 0 1 5 0V11',
  offline: 'M6.5 11a8 8 0 0 1 11 0M9.3 14a4 4 0 0 1 5.4 0M12 17v.2M7 6.5l10 11',
  question: 'M9.5 9.5a2.5 2.5 0 1 1 3.7 2.2q-1.2.7-1.2 1.8M12 17v.2',
};
type Sign = keyof typeof drawings;

function Outcome({
  tone,
  sign = tone,
  heading,
  children,
}: {
  tone: Tone;
  sign?: Sign;
  heading: string;
  children: ComponentChildren;
}) {
  return (
    <>
      <svg class={`sign ${tone}`} viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="11" />
        <path d={drawings[sign]} />
      </svg>
      <h1 tabIndex={-1}>{heading}</h1>
      {children}
    </>
  );
}

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

/** The whole payment was refunded, or the refund is on its way. */
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

interface Text {
  readonly heading: string;
  readonly next: string;
}

const textAlone =
  (tone: Tone, { heading, next }: Text) =>
  ({ page: { session } }: ViewProps) => (
    <Outcome tone={tone} heading={heading}>
      <p>{next}</p>
      <Bill session={session} />
    </Outcome>
  );

export const AlreadyPaid = textAlone('good', texts.alreadyPaid);
export const PaymentInProgress = textAlone('waiting', texts.paymentInProgress);

export function UnknownLink() {
  return (
    <Outcome tone="neutral" sign="question" heading={texts.unknownLink.heading}>
      <p>{texts.unknownLink.next}</p>
    </Outcome>
  );
}

const noAnswer =
  (sign: Sign, { heading, next }: Text) =>
  ({ busy, retry }: { busy: boolean; retry: () => Promise<void> }) => (
    <Outcome tone="neutral" sign={sign} heading={heading}>
      <p>{next}</p>
      <button type="button" class="primary" aria-disabled={busy} onClick={retry}>
        {busy ? texts.unreachable.retrying : texts.unreachable.retry}
      </button>
    </Outcome>
  );

export const Offline = noAnswer('offline', texts.offlineView);
export const Unreachable = noAnswer('offline', texts.unreachable);
export const ServiceBusy = noAnswer('clock', texts.serviceBusy);
