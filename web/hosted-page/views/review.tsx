import { useEffect, useState, useLayoutEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { canMailCopy, CopyAddress } from '../parts/copy.tsx';
import { texts, formatAmount, formatBankAccount, formatDate, formatPatient, practiceName } from '../language.ts';
import { Facts, paragraphsOf } from '../parts/facts.tsx';
import { Notice, SilentPicker } from '../parts/notice.tsx';
import { TimeLeft, TimeWarning, useTimeLeft } from '../parts/time-left.tsx';
import type { ViewProps } from '../view-of.ts';

/** In milliseconds. A second tap on the previous button must not accept. */
const tooSoonToHaveRead = 1_000;

function useCanBeAccepted(text: string): boolean {
  const [seen, setSeen] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setSeen(text), tooSoonToHaveRead);
    return () => clearTimeout(timer);
  }, [text]);
  return seen === text;
}

export function Review({ page, actions }: ViewProps) {
  const { session, busy, notice } = page;
  const { bankAccount, authorization, expectedDebitDate, payerName } = session;
  const [typed, setTyped] = useState<string>();
  const copyTo = useRef<HTMLInputElement>(null);
  // Until the server has the name, the text names someone else.
  const isNamed = typed === undefined || typed.trim() === payerName;
  const canBeAccepted = useCanBeAccepted(JSON.stringify([bankAccount, authorization]));
  // Renders each minute, so that the bar checks at once whether it may still stick: a warning makes it higher, and a later
  // check would move the button under a finger.
  useTimeLeft(session.expiresAt);
  if (!bankAccount || !authorization) return null;
  const amount = formatAmount(session);
  const isPicking = builtForMode === 'live' && notice === 'picking_bank';
  const waiting = notice === 'checking_payment' ? texts.review.checking : texts.review.authorizing;
  const namePayer = async () => {
    if (!isNamed && (await actions.namePayer(typed.trim()))) setTyped(undefined);
  };
  const authorize = () => {
    if (!isNamed) return namePayer();
    // The browser says what is wrong with the address.
    if (canBeAccepted && copyTo.current?.reportValidity() !== false)
      return actions.authorizePayment(authorization.id, copyTo.current?.value.trim() || undefined);
    return undefined;
  };
  return (
    <>
      <h1 tabIndex={-1}>{texts.review.heading}</h1>
      <p class={amount.length > 9 ? 'amount long' : 'amount'}>{amount}</p>
      <Facts
        facts={[
          [texts.review.payTo, practiceName(session)],
          [texts.review.payFrom, formatBankAccount(bankAccount)],
          [
            texts.review.payer,
            payerName === undefined ? undefined : (
              <PayerName name={typed ?? payerName} busy={busy} type={setTyped} done={() => void namePayer()} />
            ),
          ],
          [texts.review.debitDate, expectedDebitDate && texts.review.orLater(formatDate(expectedDebitDate))],
          [texts.owed.invoice, session.invoiceId],
          [texts.owed.patient, session.patient && formatPatient(session.patient)],
        ]}
      />
      <Authorization {...authorization} after={canMailCopy && <CopyAddress field={copyTo} busy={busy} />}>
        <Notice name={notice} />
        <TimeWarning page={page} actions={actions} />
        <button
          type="button"
          class="primary"
          aria-disabled={busy || !canBeAccepted || !isNamed}
          onClick={() => void authorize()}
        >
          {busy && !isPicking ? waiting : texts.review.authorize(amount)}
        </button>
      </Authorization>
      {session.bankConnectionAttemptsRemaining > 0 && (!busy || isPicking) && (
        <button type="button" class="plain" aria-disabled={isPicking} onClick={actions.startBankStep}>
          {texts.review.otherAccount}
        </button>
      )}
      {builtForMode === 'live' && notice === 'picker_silent' && <SilentPicker />}
      <TimeLeft session={session} />
    </>
  );
}

/** How much of the text must fit above the bar for the bar to stick. In pixels. */
const leastText = 72;

/** On a phone, the bar sticks to the bottom unless it would cover the facts or the start of the text. It can cover the end. */
function Authorization({
  text,
  locale,
  after,
  children,
}: {
  text: string;
  locale: string;
  /** Between the text and the bar. */
  after: ComponentChildren;
  children: ComponentChildren;
}) {
  const words = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const [sticks, setSticks] = useState(false);
  const [covered, setCovered] = useState(false);

  const coveredPixels = () =>
    (words.current?.getBoundingClientRect().bottom ?? 0) - (bar.current?.getBoundingClientRect().top ?? 0);
  useLayoutEffect(() => {
    const look = () => {
      const textBegins = (words.current?.getBoundingClientRect().top ?? 0) + scrollY;
      setSticks(textBegins + leastText + (bar.current?.offsetHeight ?? 0) <= innerHeight);
      setCovered(coveredPixels() > 1);
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  });

  function readOn() {
    const screenful = 0.7 * (bar.current?.getBoundingClientRect().top ?? 0);
    window.scrollBy(0, Math.min(coveredPixels() + 12, screenful));
    // The button disappears at the end of the text, so the focus moves on.
    words.current?.focus({ preventScroll: true });
  }

  return (
    <>
      <h2 class="legend">{texts.review.authorization}</h2>
      <div class="authorization" lang={locale} translate={false} ref={words} tabIndex={-1}>
        {paragraphsOf(text)}
      </div>
      {after}
      <div class={sticks ? 'action-bar sticks' : 'action-bar'} ref={bar}>
        {covered && (
          <button type="button" class="read-on" onClick={readOn}>
            {texts.review.readAll}
          </button>
        )}
        {children}
      </div>
    </>
  );
}

/** Someone else's account may pay: a parent's, for example. */
function PayerName({
  name,
  busy,
  type,
  done,
}: {
  name: string;
  busy: boolean;
  type: (name: string) => void;
  /** Called when the patient leaves the field or presses Enter. */
  done: () => void;
}) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        done();
      }}
    >
      <input
        aria-label={texts.review.payer}
        value={name}
        maxLength={100}
        autocomplete="name"
        readOnly={busy}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onChange={done}
      />
    </form>
  );
}
