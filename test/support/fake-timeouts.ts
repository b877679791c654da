import { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/** Sockets keep working. What a stack of the same process waits for at the end of the test comes at once, so that it is not lost. */
export function fakeTimeouts() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.runOnlyPendingTimers();
    vi.useRealTimers();
  });
  return {
    advance: (milliseconds: number) => void vi.advanceTimersByTime(milliseconds),
    /** Unlike `expect.poll`, it does not advance the fake time. */
    async until(isMet: () => boolean): Promise<void> {
      while (!isMet()) await nextTurn();
    },
  };
}
