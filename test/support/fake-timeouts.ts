import { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/** Stops `setTimeout` until the end of the test, while sockets go on. */
export function fakeTimeouts() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return {
    advance: (milliseconds: number) => void vi.advanceTimersByTime(milliseconds),
    /** Waits for a condition. Unlike `expect.poll` it does not advance the fake time. */
    async until(isMet: () => boolean): Promise<void> {
      while (!isMet()) await nextTurn();
    },
  };
}
