import { useLayoutEffect } from 'preact/hooks';
import { useAnswer } from './use-answer.ts';
import type { SignedInMark } from '../../functions/contract/team/dashboard-sign-in.ts';

const name = 'signed in here';
const mark: SignedInMark = '#signed-in';

/** Whether to ask the API who is signed in: for a signed-out visitor, that would log an error to the console. */
export function mayBeSignedIn(): boolean {
  if (location.hash === mark) {
    rememberSignIn();
    history.replaceState(null, '', location.pathname + location.search);
  }
  return localStorage.getItem(name) !== null;
}

function rememberSignIn(): void {
  localStorage.setItem(name, 'yes');
  sessionStorage.removeItem(signedOut);
}

export function forgetSignIn(): void {
  localStorage.removeItem(name);
}

const signedOut = 'signed out here';

/** Stored in the tab, because issuers redirect to one address only. */
export function rememberSignOut(): void {
  sessionStorage.setItem(signedOut, 'yes');
}

export function hasSignedOut(): boolean {
  return sessionStorage.getItem(signedOut) !== null;
}

/** Who is signed in. The start page asks only in a browser where the last answer named somebody. */
export function useMe() {
  const me = useAnswer('getMe', { params: {} });
  // Runs before the screen can be used, so that a user who leaves it at once is remembered too.
  useLayoutEffect(() => {
    if (me.loaded.state === 'ready') rememberSignIn();
    if (me.loaded.state === 'failed' && me.loaded.problem.code === 'not_signed_in') forgetSignIn();
  }, [me.loaded.state]);
  return me;
}
