/** A fault that whoever starts the local stack can mend. Its message is the one line they are shown. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}
