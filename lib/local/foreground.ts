import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { SetupError } from './setup-error.ts';
import type { LocalStack } from './stack.ts';

/** Milliseconds from Ctrl-C to a forced exit. Only a stop that hangs takes that long, even on a busy machine. */
const exitTimeout = 20_000;

export async function runInForeground(
  start: () => Promise<Pick<LocalStack, 'stop' | 'ended'> | undefined>,
): Promise<void> {
  const starting = start();
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      setTimeout(() => process.exit(1), exitTimeout);
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

/** Starts a Node program that ends when its input does. Ctrl-C does not end it, because functions that still run need it. */
export function startShielded(...programArguments: readonly string[]) {
  const child = spawn(process.execPath, programArguments, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
    detached: true,
  });
  child.stdin.on('error', () => {});
  let stopping = false;
  const exited = once(child, 'exit').then(() => {
    child.stdin.destroy();
  });
  return {
    child,
    exited,
    /** Resolves if it ends unexpectedly. */
    ended: new Promise<void>((resolve) => {
      void exited.then(() => {
        if (!stopping) resolve();
      });
    }),
    async stop() {
      stopping = true;
      child.stdin.end();
      await exited;
    },
  };
}
