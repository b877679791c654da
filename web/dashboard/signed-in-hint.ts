const name = 'signed in here';

/** Whether to ask the API who is signed in: for a signed-out visitor, that would log an error to the console. */
export function mayBeSignedIn(): boolean {
  return localStorage.getItem(name) !== null;
}

export function rememberSignIn(): void {
  localStorage.setItem(name, 'yes');
}

export function forgetSignIn(): void {
  localStorage.removeItem(name);
}
