import type { SessionView } from '../../../functions/contract/patient-api/session-view.ts';
import { practiceName } from '../format.ts';
import { texts } from '../language.ts';

/** Without a referrer: the address of this page has the token. */
export function ReturnLink({ session }: { session: SessionView }) {
  if (session.returnUrl === undefined) return null;
  return (
    <a class="plain" href={session.returnUrl} rel="noreferrer">
      {texts.returnTo(practiceName(session))}
    </a>
  );
}
