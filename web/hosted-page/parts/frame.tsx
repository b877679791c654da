import type { ComponentChildren } from 'preact';
import type { SessionView } from '../../../functions/contract/patient-api.ts';
import { texts } from '../texts.ts';
import { Contact } from './contact.tsx';

/** What surrounds every view: who asks, that a sandbox moves no money, and whom to call. */
export function Frame({ session, children }: { session: SessionView | undefined; children: ComponentChildren }) {
  return (
    <>
      {session?.sandbox && <p class="sandbox">{texts.sandbox}</p>}
      {session && <PracticeName practice={session.practice} />}
      <main class="card">{children}</main>
      {session && (
        <footer>
          <p>
            <Contact lead={session.status === 'pending' ? texts.contact.notExpecting : texts.contact.questions} practice={session.practice} />
          </p>
        </footer>
      )}
    </>
  );
}

function PracticeName({ practice: { name, logoUrl } }: Pick<SessionView, 'practice'>) {
  return (
    <header class="practice">
      {logoUrl === undefined ? <span class="monogram" aria-hidden="true">{[...name][0]}</span> : <img class="logo" src={logoUrl} alt="" />}
      <span class="practice-name">{name}</span>
    </header>
  );
}
