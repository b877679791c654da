import type { TargetedMouseEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { SessionView } from '../../../functions/contract/sessions/session-view.ts';
import { intlLocale, texts, formatDuration, practiceName } from '../language.ts';
import { serverNow } from '../patient-api.ts';
import type { ViewProps } from '../view-of.ts';

const minute = 60_000;
const short = 5 * minute;

/** Renders the component again at each minute. In milliseconds. */
export function useTimeLeft(expiresAt: string): number {
  const [, renderAgain] = useState(0);
  const left = Date.parse(expiresAt) - serverNow();
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => renderAgain((times) => times + 1), (left % minute) + 1);
    return () => clearTimeout(timer);
  });
  return left;
}

/** Includes the time: a link can end at any hour of its last day. */
function formatDeadline(time: string): string {
  return new Date(time).toLocaleString(intlLocale, {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
}

export function TimeLeft({ session: { expiresAt, sessionLifetimeSeconds: lifetime } }: { session: SessionView }) {
  const left = useTimeLeft(expiresAt);
  if (left <= short) return null;
  return (
    <p class="hint">
      {lifetime === undefined
        ? texts.timeLeft.finish(formatDuration(left))
        : texts.timeLeft.link(formatDeadline(expiresAt), formatDuration(lifetime * 1000))}
    </p>
  );
}

export function TimeWarning({ page: { session }, actions }: ViewProps) {
  const { expiresAt, extensionsLeft = 0 } = session;
  const left = useTimeLeft(expiresAt);
  const [asked, setAsked] = useState(false);
  const isEnding = left <= short;
  const canExtend = isEnding && extensionsLeft > 0;
  if (!isEnding && !asked) return null;

  async function extend({ currentTarget: { parentElement: place } }: TargetedMouseEvent<HTMLButtonElement>) {
    setAsked(true);
    await actions.askForMoreTime();
    // The focus was on the button, which is gone.
    if (document.activeElement === document.body) place?.focus();
  }

  return (
    <div class={isEnding ? 'notice warning' : 'notice waiting'} tabIndex={-1}>
      {isEnding ? (
        <strong>{texts.timeLeft.finish(formatDuration(left))}</strong>
      ) : (
        texts.timeLeft.extended(formatDeadline(expiresAt))
      )}
      {canExtend ? (
        <button type="button" class="secondary" onClick={extend}>
          {texts.timeLeft.extend}
        </button>
      ) : (
        isEnding && ` ${texts.timeLeft.ending(practiceName(session))}`
      )}
    </div>
  );
}

/** Announces the time left to screen readers only at five minutes and at one. */
export function SpokenTimeWarning({ session }: { session: SessionView }) {
  const { expiresAt, extensionsLeft = 0 } = session;
  const left = useTimeLeft(expiresAt);
  const mayAsk = extensionsLeft > 0 ? ` ${texts.timeLeft.mayAsk}` : '';
  const warning = left <= minute ? texts.timeLeft.oneMinute : texts.timeLeft.fiveMinutes + mayAsk;
  return (
    <p role="status" class="spoken">
      {left <= short && warning}
    </p>
  );
}
