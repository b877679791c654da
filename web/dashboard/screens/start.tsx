import { useLocation } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';
import type { SignInProblem } from '../../../functions/contract/team/dashboard-sign-in.ts';
import { signInUrl, type Response } from '../api.ts';
import { Alone, Opening } from '../parts/alone.tsx';
import { ButtonLink } from '../parts/button.tsx';
import { Notice, ProblemNotice } from '../parts/notice.tsx';
import { SignOutButton } from '../parts/user-menu.tsx';
import { hasSignedOut, mayBeSignedIn, useMe } from '../use-me.ts';
import { useQuery } from '../use-query.ts';

const problemWords: Record<SignInProblem, string> = {
  sign_in_expired: 'The sign-in took too long, or was started in another browser. Start again.',
  sign_in_refused: 'You were not signed in. Try again, or ask an admin of your practice for help.',
  sign_in_not_repeated:
    'You were not asked to sign in again, so the change was not made. Sign out, then sign in. If that does not help, tell whoever runs this service.',
  sign_in_failed: 'The sign-in did not work. Try again in a minute.',
};

function isSignInProblem(code: string): code is SignInProblem {
  return Object.hasOwn(problemWords, code);
}

/** The sign-in for signed-out visitors, and the list of practices for signed-in users. */
export function Start() {
  const { query } = useQuery();
  const code = query.get('problem') ?? '';
  const problem = isSignInProblem(code) ? problemWords[code] : undefined;
  return mayBeSignedIn() ? <MaybeSignedIn problem={problem} /> : <SignedOut problem={problem} />;
}

function MaybeSignedIn({ problem }: { readonly problem: string | undefined }) {
  const { loaded, reload } = useMe();
  if (loaded.state === 'loading') return <Opening />;
  if (loaded.state === 'ready') return <Practices me={loaded.value} problem={problem} />;
  if (loaded.problem.code === 'not_signed_in') return <SignedOut problem={problem} />;
  return (
    <Alone title="Practice dashboard">
      <ProblemNotice problem={loaded.problem} retry={() => void reload()} />
    </Alone>
  );
}

function SignedOut({ problem }: { readonly problem: string | undefined }) {
  if (problem === undefined && hasSignedOut())
    return (
      <Alone title="You are signed out">
        <p>On a shared computer, close the browser, too.</p>
        <div class="actions">
          <ButtonLink kind="primary" href={signInUrl({ to: '/' })}>
            Sign in again
          </ButtonLink>
        </div>
      </Alone>
    );
  return (
    <Alone title="Practice dashboard">
      {problem !== undefined && <Notice kind="bad" title={problem} urgent />}
      <p>Send payment links, see which invoices are paid, and manage your team.</p>
      <div class="actions">
        <ButtonLink kind="primary" href={signInUrl({ to: '/' })}>
          Sign in
        </ButtonLink>
      </div>
      <p class="quiet">New here? An admin of your practice can send you an invitation.</p>
    </Alone>
  );
}

interface PracticesProps {
  readonly me: Response<'getMe'>;
  readonly problem: string | undefined;
}

function Practices({ me: { practices, platforms, user }, problem }: PracticesProps) {
  const { route } = useLocation();
  const choices = [
    ...platforms.map(({ platformId, name }) => ({ href: `/${platformId}`, name, isPlatform: true })),
    ...practices.map(({ practiceId, name }) => ({ href: `/${practiceId}`, name, isPlatform: false })),
  ];
  const [only] = choices;
  const goesOn = choices.length === 1 && problem === undefined && only !== undefined;
  useEffect(() => {
    if (goesOn) route(only.href, true);
  }, [goesOn]);
  if (goesOn) return null;
  return (
    <Alone title={choices.length === 0 ? 'No practice yet' : 'Choose a practice'}>
      {problem !== undefined && <Notice kind="bad" title={problem} urgent />}
      {choices.length === 0 ? (
        <p>
          You are signed in{user.email === undefined ? '' : ` as ${user.email}`}, but not a member of a practice. Ask an
          admin to invite you, and open the invitation link.
        </p>
      ) : (
        <ul class="practices">
          {choices.map(({ href, name, isPlatform }) => (
            <li key={href}>
              <a href={href}>
                {name}
                {isPlatform && <span class="acting">A platform, and its practices</span>}
              </a>
            </li>
          ))}
        </ul>
      )}
      <SignOutButton />
    </Alone>
  );
}
