import { LocationProvider, useLocation } from 'preact-iso/router';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { leavingToSignIn, onSignInNeeded, signInUrl } from './api.ts';
import { Announcements } from './parts/announce.tsx';
import { ConfirmIdentity } from './parts/confirm-identity.tsx';
import { PracticeScreens } from './practice-screens.tsx';
import { Crash } from './screens/crash.tsx';
import { Join } from './screens/join.tsx';
import { Start } from './screens/start.tsx';

export function App() {
  const [error, reset] = useErrorBoundary((thrown: unknown) => console.error(thrown));
  const [confirming, setConfirming] = useState(false);
  useEffect(() => {
    onSignInNeeded((code, route) => {
      if (code === 'sign_in_too_old') return setConfirming(true);
      // These screens work without a session: they tell visitors what to do.
      const isOpen = location.pathname === '/' || location.pathname === '/join';
      if (isOpen && route !== 'signOut') return;
      dispatchEvent(new Event(leavingToSignIn));
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
  return <PracticeScreens key={first} practiceId={first} />;
}
