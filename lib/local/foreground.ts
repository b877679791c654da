import { SetupError } from './setup-error.ts';
import type { LocalStack } from './stack.ts';

/** Milliseconds that a user waits after Ctrl-C. */
const patience = 2000;

/**
 * Runs a local stack until Ctrl-C or SIGTERM, then ends the process with 0. Ends it with 1, and one line for an error
 * that the user can fix, if the stack does not start or its database ends. Ends at once if `start` resolves to
 * undefined.
 */
export async function runInForeground(
  start: () => Promise<Pick<LocalStack, 'stop' | 'ended'> | undefined>,
): Promise<void> {
  const starting = start();
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      setTimeout(() => process.exit(1), patience);
      // A failed start stops its own parts.
      starting
        .then((stack) => stack?.stop())
        .then(
          () => process.exit(0),
          () => process.exit(0),
        );
    });
  }
  try {
    const stack = await starting;
    if (stack === undefined) return;
    await stack.ended;
    if (!stopping) throw new SetupError('dynoxide ended unexpectedly. Start again; no acknowledged write is lost.');
  } catch (error) {
    console.error(error instanceof SetupError ? error.message : error);
    process.exit(1);
  }
}
