export interface StartLimit {
  readonly isFree: boolean;
  take(): Promise<void>;
  release(): void;
}

/** Loading keeps a core busy: more loads at once slow each other down. */
const maximumStarts = 2;

export function startLimit(): StartLimit {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    get isFree() {
      return running < maximumStarts;
    },
    async take() {
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
