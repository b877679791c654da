import type { ComponentChildren } from 'preact';
import type { SessionView } from '../../../functions/contract/patient-api.ts';
import { nameSize } from '../format.ts';
import { texts } from '../language.ts';
import { Contact } from './contact.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { SpokenTimeWarning } from './time-left.tsx';

/** Whether the document says so, for views that know no session; read before they replace it. */
const builtForSandbox = document.querySelector('.sandbox') !== null;

interface FrameProps {
  /** The session as it was last seen. */
  readonly session: SessionView | undefined;
  /** What is shown may be out of date, because the device is offline. */
  readonly offline: boolean;
  readonly children: ComponentChildren;
}

/** What surrounds every view: who asks, that a sandbox moves no money, the language, and whom to call. */
export function Frame({ session, offline, children }: FrameProps) {
  return (
    <>
      <header>
        {(session?.sandbox ?? builtForSandbox) && <p class="sandbox">{texts.sandbox}</p>}
        <div class="masthead">
          {session ? <PracticeName practice={session.practice} /> : <p class="practice">{texts.service}</p>}
          <LanguageSwitch />
        </div>
        <p role="status" class="offline">
          {offline && texts.offline}
        </p>
        {session && isRequest(session) && <SpokenTimeWarning session={session} />}
      </header>
      <main class="card">{children}</main>
      {session && (
        <footer>
          <p>
            <strong>{isRequest(session) ? texts.contact.notExpecting : texts.contact.questions}</strong> <Contact {...session.practice} />
          </p>
        </footer>
      )}
    </>
  );
}

/** Whether the page still asks for money, which somebody may not have expected. */
function isRequest({ status, blockedBy, bankConnectionAttemptsRemaining, bankAccount }: SessionView): boolean {
  return status === 'pending' && blockedBy === undefined && (bankConnectionAttemptsRemaining > 0 || bankAccount !== undefined);
}

function PracticeName({ practice: { name, logoUrl } }: Pick<SessionView, 'practice'>) {
  return (
    <p class={logoUrl === undefined ? 'practice' : 'practice with-logo'}>
      {logoUrl === undefined ? <span class="monogram" aria-hidden="true">{[...name][0]}</span> : <img class="logo" src={logoUrl} alt="" />}
      <span class={nameSize(name)}>{name}</span>
    </p>
  );
}
