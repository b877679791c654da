/** The user can fix it and sees only its message, one line. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}
