import { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/** Sockets keep working. */
export function fakeTimeouts() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return {
    advance: (milliseconds: number) => void vi.advanceTimersByTime(milliseconds),
    /** Unlike `expect.poll`, it does not advance the fake time. */
    async until(isMet: () => boolean): Promise<void> {
      while (!isMet()) await nextTurn();
    },
  };
}
