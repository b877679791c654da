/** An error that the user of the local stack can fix. They see only its message, one line. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}
