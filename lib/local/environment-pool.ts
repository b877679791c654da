import type { ExecutionEnvironment, InvocationError } from './execution-environment.ts';

interface EnvironmentPool {
  /** Never rejects: resolves to an error if loading fails or the pool stops. */
  acquire(): Promise<ExecutionEnvironment | InvocationError>;
  release(used: ExecutionEnvironment): void;
  stop(): Promise<void>;
}

export interface StartLimit {
  readonly isFree: boolean;
  take(): Promise<void>;
  release(): void;
}

/** Loading keeps a core busy: more loads at once slow each other down. */
const maximumStarts = 2;

/** Milliseconds that all environments must be busy before another one starts. */
const busyTime = 50;

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

export function environmentPool(start: () => ExecutionEnvironment, limit: number, starts: StartLimit): EnvironmentPool {
  const loading = new Set<ExecutionEnvironment>();
  const warm = new Set<ExecutionEnvironment>();
  const idle: ExecutionEnvironment[] = [];
  const waiting: ((answer: ExecutionEnvironment | InvocationError) => void)[] = [];
  let starting = 0;
  let growth: NodeJS.Timeout | undefined;
  let stopped = false;

  function grow(): void {
    if (stopped || growth !== undefined || waiting.length <= starting || warm.size + starting >= limit) return;
    if (warm.size + starting === 0) {
      void add();
      return;
    }
    growth = setTimeout(() => {
      growth = undefined;
      // Never waits for a start: a function without any environment goes first.
      if (starts.isFree) void add();
      grow();
    }, busyTime);
  }

  async function add(): Promise<void> {
    starting += 1;
    await starts.take();
    const added = stopped ? undefined : start();
    if (added !== undefined) loading.add(added);
    const error = await added?.loaded;
    starts.release();
    starting -= 1;
    if (added === undefined) return;
    loading.delete(added);
    if (error === undefined) {
      warm.add(added);
      offer(added);
    } else if (warm.size === 0) {
      for (const answer of waiting.splice(0)) answer(error);
    }
  }

  function offer(free: ExecutionEnvironment): void {
    const next = waiting.shift();
    if (next === undefined) {
      idle.push(free);
      return;
    }
    next(free);
    clearTimeout(growth);
    growth = undefined;
    grow();
  }

  return {
    async acquire() {
      if (stopped) return stoppedError;
      for (let free = idle.pop(); free !== undefined; free = idle.pop()) {
        if (free.alive) return free;
        warm.delete(free);
      }
      const answer = new Promise<ExecutionEnvironment | InvocationError>((resolve) => waiting.push(resolve));
      grow();
      return answer;
    },
    release(used) {
      if (used.alive) return offer(used);
      warm.delete(used);
      grow();
    },
    async stop() {
      stopped = true;
      clearTimeout(growth);
      for (const answer of waiting.splice(0)) answer(stoppedError);
      await Promise.all([...warm, ...loading].map((environment) => environment.stop()));
    },
  };
}

const stoppedError: InvocationError = {
  errorType: 'Sandbox.Stopped',
  errorMessage: 'The local stack has stopped',
  trace: [],
};
