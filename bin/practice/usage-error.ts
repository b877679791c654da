/** What was typed is wrong. The message says what to type. */
export class UsageError extends Error {
  /** The command whose help says more. */
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.command = command;
  }
}
