const name = 'signed in here';

/** Whether asking who is signed in makes sense: in vain, it leaves an error in the console. */
export function mayBeSignedIn(): boolean {
  return localStorage.getItem(name) !== null;
}

export function rememberSignIn(): void {
  localStorage.setItem(name, 'yes');
}

export function forgetSignIn(): void {
  localStorage.removeItem(name);
}
