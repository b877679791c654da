import { useEffect, useState } from 'preact/hooks';
import type { SessionView } from '../../../functions/contract/patient-api/session-view.ts';
import { formatDuration, practiceName } from '../format.ts';
import { texts } from '../language.ts';
import { serverNow } from '../server-clock.ts';

const minute = 60_000;
const short = 5 * minute;

function useTimeLeft(expiresAt: string): number {
  const [, renderAgain] = useState(0);
  const left = Date.parse(expiresAt) - serverNow();
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => renderAgain((times) => times + 1), (left % minute) + 1);
    return () => clearTimeout(timer);
  });
  return left;
}

export function TimeLeft({ session: { expiresAt, sessionLifetimeSeconds: lifetime } }: { session: SessionView }) {
  const left = useTimeLeft(expiresAt);
  if (left <= short) return null;
  const duration = formatDuration(left);
  return (
    <p class="hint">
      {lifetime === undefined
        ? texts.timeLeft.finish(duration)
        : texts.timeLeft.link(duration, formatDuration(lifetime * 1000))}
    </p>
  );
}

export function TimeWarning({ session }: { session: SessionView }) {
  const left = useTimeLeft(session.expiresAt);
  if (left > short) return null;
  return (
    <p class="notice warning">
      <strong>{texts.timeLeft.finish(formatDuration(left))}</strong> {texts.timeLeft.ending(practiceName(session))}
    </p>
  );
}

/** Speaks at five minutes and at one only. */
export function SpokenTimeWarning({ session }: { session: SessionView }) {
  const left = useTimeLeft(session.expiresAt);
  const warning = left <= minute ? texts.timeLeft.oneMinute : texts.timeLeft.fiveMinutes;
  return (
    <p role="status" class="spoken">
      {left <= short && warning}
    </p>
  );
}
