import { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';
import { hour } from '../../functions/domain/time.ts';

/** Turns of the event loop after which nothing more is pending. */
const quietTurns = 10;

const longest = 6 * hour;

/** Sleeps end in order, each only when nothing else is running, so that a deadlock can be told from slow work. */
export function virtualTime(start: number) {
  const sleeping: { readonly at: number; readonly wake: () => void }[] = [];
  let now = start;
  let busy = 0;
  let becomesFree = () => {};

  async function isQuiet(): Promise<boolean> {
    for (let turn = 0; turn < quietTurns; turn += 1) {
      await nextTurn();
      if (busy > 0) return false;
    }
    return true;
  }

  return {
    clock: () => now,
    sleep(milliseconds: number): Promise<void> {
      return new Promise((wake) => void sleeping.push({ at: now + Math.round(milliseconds), wake }));
    },
    /** Time stands still while it runs. */
    async real<Result>(work: () => Promise<Result>): Promise<Result> {
      busy += 1;
      try {
        return await work();
      } finally {
        busy -= 1;
        becomesFree();
      }
    },
    /** Throws if it waits for something that never comes. */
    async until<Result>(work: Promise<Result>): Promise<Result> {
      let isOver = false;
      const ended = work.finally(() => (isOver = true));
      ended.catch(() => undefined);
      while (!isOver) {
        // Endless turns would keep the core from what it waits for.
        if (busy > 0) await new Promise<void>((resolve) => (becomesFree = resolve));
        if (!(await isQuiet()) || isOver) continue;
        sleeping.sort((left, right) => left.at - right.at);
        const next = sleeping.shift();
        if (!next || next.at > start + longest) throw new Error('it waits for ever');
        now = Math.max(now, next.at);
        next.wake();
      }
      return ended;
    },
  };
}

/** Sockets keep working. Whatever a stack in this process waits for at the end of the test comes right away, so that it is not lost. */
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
