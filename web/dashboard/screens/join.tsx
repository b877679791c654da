import { useLocation } from 'preact-iso/router';
import { useEffect, useState } from 'preact/hooks';
import { call, signInUrl, type ApiProblem } from '../api.ts';
import { Alone, Opening } from '../parts/alone.tsx';
import { Button, ButtonLink } from '../parts/button.tsx';
import { ProblemNotice, announce } from '../parts/notice.tsx';
import { SignOutButton } from '../parts/user-menu.tsx';
import { useMe } from '../use-me.ts';

const kept = 'invitation';

/** The tab keeps the token while the user signs in, so that it never reaches a server's log. */
function tokenOfInvitation(): string | null {
  const token = location.hash.slice(1);
  if (token !== '') {
    sessionStorage.setItem(kept, token);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(kept);
}

export function Join() {
  const [token, setToken] = useState(tokenOfInvitation);
  useEffect(() => {
    // A link pasted into this tab changes only the hash, which loads nothing.
    const onPasted = () => setToken(tokenOfInvitation());
    addEventListener('hashchange', onPasted);
    return () => removeEventListener('hashchange', onPasted);
  }, []);
  const me = useMe();
  if (token === null)
    return (
      <Alone title="Open your invitation link again">
        <p>You can only reach this page from the link in an invitation. It may have been opened in another tab.</p>
      </Alone>
    );
  if (me.loaded.state === 'loading') return <Opening />;
  if (me.loaded.state === 'ready') return <Accept key={token} token={token} email={me.loaded.value.user.email} />;
  return (
    <Alone title="Join a practice">
      {me.loaded.problem.code === 'not_signed_in' ? (
        <>
          <p>You were invited to the dashboard of a practice. Sign in to accept.</p>
          <div class="actions">
            <ButtonLink kind="primary" href={signInUrl({ to: '/join' })}>
              Sign in
            </ButtonLink>
          </div>
        </>
      ) : (
        <ProblemNotice problem={me.loaded.problem} retry={() => void me.reload()} />
      )}
    </Alone>
  );
}

interface AcceptProps {
  readonly token: string;
  readonly email: string | undefined;
}

/** Asks first, because accepting binds the membership to the signed-in user. */
function Accept({ token, email }: AcceptProps) {
  const { route } = useLocation();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem>();
  async function accept() {
    setBusy(true);
    const answer = await call('acceptInvitation', { params: {}, body: { token } });
    setBusy(false);
    if (!answer.ok) return setProblem(answer.problem);
    sessionStorage.removeItem(kept);
    announce('You joined the practice.');
    route(`/${answer.value.practiceId}`, true);
  }
  return (
    <Alone title="Join a practice">
      {problem && <ProblemNotice problem={problem} />}
      <p>
        You are signed in
        {email === undefined ? (
          ''
        ) : (
          <>
            {' '}
            as <strong>{email}</strong>
          </>
        )}
        . The invitation works once, and gives this account access to the practice. If it has access already, it gets
        the invitation’s role.
      </p>
      <div class="actions">
        <Button kind="primary" busy={busy} onClick={() => void accept()}>
          Accept invitation
        </Button>
        <SignOutButton />
      </div>
      <p class="quiet">Not you? Sign out, then open the link again.</p>
    </Alone>
  );
}
