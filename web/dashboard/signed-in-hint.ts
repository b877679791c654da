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

export function rememberSignIn(): void {
  localStorage.setItem(name, 'yes');
}

export function forgetSignIn(): void {
  localStorage.removeItem(name);
}
