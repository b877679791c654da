import { useState } from 'preact/hooks';
import { call, onSignInNeeded, type Answer, type Response } from '../api.ts';
import { usePractice, roleWords } from '../practice.ts';
import { useAction } from '../use-answer.ts';
import { forgetUnsaved, mayLeave } from '../unsaved.ts';
import { forgetSignIn, rememberSignOut } from '../use-me.ts';
import { Button } from './button.tsx';
import { ConfirmDialog } from './dialog.tsx';

export function UserMenu() {
  const { me, role } = usePractice();
  const [asking, setAsking] = useState(false);
  return (
    <div class="user">
      <p>
        <span class="email">{me.user.email ?? 'Signed in'}</span>
        <span class="quiet">{roleWords[role].label}</span>
      </p>
      <SignOutButton />
      <Button kind="plain" onClick={() => mayLeave() && setAsking(true)}>
        Sign out everywhere
      </Button>
      {asking && (
        <ConfirmDialog
          title="Sign out everywhere?"
          action="Sign out everywhere"
          route="signOut"
          act={() => signOut(true)}
          done={leave}
          close={() => setAsking(false)}
        >
          <p>This signs you out on every device and in every browser, including this one.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

export function SignOutButton() {
  const { busy, run } = useAction('signOut', 'Sign out');
  return (
    <Button kind="plain" busy={busy} onClick={() => mayLeave() && void run(() => signOut(false), leave)}>
      Sign out
    </Button>
  );
}

function signOut(everywhere: boolean): Promise<Answer<Response<'signOut'>>> {
  return call('signOut', { params: {}, body: { everywhere } });
}

function leave({ signOutUrl }: Response<'signOut'>): void {
  sessionStorage.clear();
  forgetUnsaved();
  forgetSignIn();
  rememberSignOut();
  // Until the browser has left, a late answer, such as one to polling, would lead to the sign-in instead.
  onSignInNeeded(() => undefined);
  // Back can restore this page as it was.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
  location.assign(signOutUrl ?? '/');
}
