/** An error that the user can fix. They see only its one-line message. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}
