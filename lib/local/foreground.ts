import { SetupError } from './setup-error.ts';
import type { LocalStack } from './stack.ts';

/** Two seconds after Ctrl-C a shell's user gives up waiting. */
const patience = 2000;

/**
 * Runs a local stack, and what was started around it, until Ctrl-C or SIGTERM and ends the process: with 0 when the stack has stopped, with 1 and one line
 * for a fault that the user can mend, with 1 when the database ended by itself. `start` may resolve to undefined to end at once.
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
      // A start that fails meanwhile has stopped its own parts.
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
    if (!stopping)
      throw new SetupError('dynoxide ended by itself. Start again; nothing that was acknowledged is lost.');
  } catch (error) {
    console.error(error instanceof SetupError ? error.message : error);
    process.exit(1);
  }
}
