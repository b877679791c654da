import type { SessionView } from '../../../functions/contract/sessions/session-view.ts';
import { practiceName } from '../format.ts';
import { texts } from '../language.ts';

/** Sends no referrer, because this page's URL has the token. */
export function ReturnLink({ session }: { session: SessionView }) {
  if (session.returnUrl === undefined) return null;
  return (
    <a class="plain" href={session.returnUrl} rel="noreferrer">
      {texts.returnTo(practiceName(session))}
    </a>
  );
}
