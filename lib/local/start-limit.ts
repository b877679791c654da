export interface StartLimit {
  readonly isFree: boolean;
  acquire(): Promise<void>;
  release(): void;
}

/** Limits concurrent loads: each keeps a core busy, so more would slow each other down. */
const maximumStarts = 2;

export function startLimit(): StartLimit {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    get isFree() {
      return running < maximumStarts;
    },
    async acquire() {
      if (running < maximumStarts) running += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    release() {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    },
  };
}
