import { render } from 'preact';
import { LocationProvider, useLocation } from 'preact-iso/router';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { forgetInterrupted, leavingToSignIn, onSignInNeeded, signInUrl } from './api.ts';
import { Announcements } from './parts/notice.tsx';
import { PlatformScreens, PracticeScreens } from './practice-screens.tsx';
import { isPlatform } from './practice.ts';
import { Crash } from './parts/alone.tsx';
import { Join } from './screens/join.tsx';
import { Start } from './screens/start.tsx';
import { Button, ButtonLink } from './parts/button.tsx';
import { Dialog } from './parts/dialog.tsx';
import { askBeforeLeaving } from './unsaved.ts';
import { surviveTranslation } from '../translated-page.tsx';

function App() {
  const [error, reset] = useErrorBoundary((thrown: unknown) => console.error(thrown));
  const [confirming, setConfirming] = useState(false);
  useEffect(() => {
    onSignInNeeded((code, route) => {
      if (code === 'sign_in_too_old') return setConfirming(true);
      // These screens work without a session: they tell visitors what to do.
      const isOpen = location.pathname === '/' || location.pathname === '/join';
      if (isOpen && route !== 'signOut') return;
      keepForms();
      addEventListener('pageshow', askAgain);
      location.assign(signInUrl());
    });
  }, []);
  if (error !== undefined) return <Crash retry={reset} />;
  return (
    <LocationProvider scope={/^\/(?!api\/|docs\/)/}>
      <Screens />
      <Announcements />
      {confirming && <ConfirmIdentity close={() => setConfirming(false)} />}
    </LocationProvider>
  );
}

function Screens() {
  const { path } = useLocation();
  const [, first = ''] = path.split('/');
  if (first === '') return <Start />;
  if (first === 'join') return <Join />;
  return isPlatform({ practiceId: first }) ? (
    <PlatformScreens key={first} platformId={first} />
  ) : (
    <PracticeScreens key={first} practiceId={first} />
  );
}

/** Some changes need a sign-in within the last 5 minutes. */
function ConfirmIdentity({ close }: { readonly close: () => void }) {
  function giveUp() {
    forgetInterrupted();
    close();
  }
  return (
    <Dialog title="Confirm it is you" close={giveUp}>
      <p>
        This change needs a fresh sign-in. It is not saved yet. You will come back to this page with what you entered,
        and then press the button again.
      </p>
      <div class="actions">
        <ButtonLink kind="primary" href={signInUrl({ again: true })} onClick={keepForms}>
          Sign in again
        </ButtonLink>
        <Button onClick={giveUp}>Go back</Button>
      </div>
    </Dialog>
  );
}

/** Back can restore the page as it was, with its names, for whoever sits there by then. */
function askAgain({ persisted }: PageTransitionEvent): void {
  if (!persisted) return;
  keepForms();
  location.reload();
}

function keepForms(): void {
  dispatchEvent(new Event(leavingToSignIn));
}

surviveTranslation();
askBeforeLeaving();
const place = document.querySelector('#dashboard');
if (place) {
  place.replaceChildren();
  render(<App />, place);
}
