/** Ends waits early. */
export interface WakeUp {
  wake(): void;
  /** How often `wake` was called, so that a call between two waits is not missed. */
  readonly count: number;
  /** Waits until `count` exceeds `seen`, or for this many milliseconds. */
  wait(seen: number, milliseconds: number, signal: AbortSignal): Promise<void>;
}

export function wakeUp(): WakeUp {
  let count = 0;
  const waiting = new Set<() => void>();
  return {
    wake() {
      count += 1;
      for (const end of waiting) end();
    },
    get count() {
      return count;
    },
    async wait(seen, milliseconds, signal) {
      if (seen !== count || signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, milliseconds);
      waiting.add(resolve);
      const end = () => resolve();
      signal.addEventListener('abort', end);
      await promise;
      signal.removeEventListener('abort', end);
      clearTimeout(timer);
      waiting.delete(resolve);
    },
  };
}
