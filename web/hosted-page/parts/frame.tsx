import type { ComponentChildren } from 'preact';
import type { SessionView } from '../../../functions/contract/patient-api.ts';
import { nameSize } from '../format.ts';
import { texts } from '../texts.ts';
import { Contact } from './contact.tsx';

/** What surrounds every view: who asks, that a sandbox moves no money, and whom to call. */
export function Frame({ session, children }: { session: SessionView | undefined; children: ComponentChildren }) {
  return (
    <>
      {session && (
        <header>
          {session.sandbox && <p class="sandbox">{texts.sandbox}</p>}
          <PracticeName practice={session.practice} />
        </header>
      )}
      <main class="card">{children}</main>
      {session && (
        <footer>
          <p>
            {isRequest(session) ? texts.contact.notExpecting : texts.contact.questions} <Contact {...session.practice} />
          </p>
        </footer>
      )}
    </>
  );
}

/** Whether the page still asks for money, which somebody may not have expected. */
function isRequest({ status, blockedBy, bankConnectionAttemptsRemaining }: SessionView): boolean {
  return status === 'pending' && blockedBy === undefined && bankConnectionAttemptsRemaining > 0;
}

function PracticeName({ practice: { name, logoUrl } }: Pick<SessionView, 'practice'>) {
  return (
    <p class="practice">
      {logoUrl === undefined ? <span class="monogram" aria-hidden="true">{[...name][0]}</span> : <img class="logo" src={logoUrl} alt="" />}
      <span class={nameSize(name)}>{name}</span>
    </p>
  );
}
