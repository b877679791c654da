import { cpus } from 'node:os';
import type { ExecutionEnvironment, InvocationError } from './execution-environment.ts';

/** Summed over all cores since the machine started, in milliseconds. */
interface CpuTimes {
  readonly idle: number;
  readonly all: number;
}

interface Settings {
  readonly limit: number;
  readonly starts: StartLimit;
  readonly cpuTimes?: (() => CpuTimes) | undefined;
}

/** Milliseconds between checks for whether a busy function should get another environment. */
const lookTime = 50;

/** Milliseconds after which an unused environment ends. The last one stays. */
const unusedTime = 60_000;

/** The share of idle cores below which another environment would only compete with the others. */
const enoughIdle = 0.25;

/** Milliseconds without progress after which busy cores are ignored: no event may wait forever. */
const longestStall = 1000;

export function environmentPool(
  start: () => ExecutionEnvironment,
  { limit, starts, cpuTimes = machineCpuTimes }: Settings,
) {
  const loading = new Set<ExecutionEnvironment>();
  const warm = new Set<ExecutionEnvironment>();
  const idle: { readonly environment: ExecutionEnvironment; readonly timer: NodeJS.Timeout }[] = [];
  const waiting: ((answer: ExecutionEnvironment | InvocationError) => void)[] = [];
  let starting = 0;
  let growth: NodeJS.Timeout | undefined;
  let progressAt = performance.now();
  let stopped = false;

  /** Call it after each change that may leave a caller waiting. */
  function grow(): void {
    if (stopped || growth !== undefined || waiting.length <= starting || warm.size + starting >= limit) return;
    if (warm.size + starting === 0) {
      void add();
      return;
    }
    const before = cpuTimes();
    growth = setTimeout(() => {
      growth = undefined;
      const { idle: idleTime, all } = cpuTimes();
      const coresAreIdle = idleTime - before.idle > enoughIdle * (all - before.all);
      // Never queues for a start, so that functions without any environment go first.
      if (starts.isFree && (coresAreIdle || performance.now() - progressAt > longestStall)) void add();
      grow();
    }, lookTime);
  }

  async function add(): Promise<void> {
    starting += 1;
    progressAt = performance.now();
    await starts.acquire();
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
      return;
    }
    if (warm.size === 0) for (const answer of waiting.splice(0)) answer(error);
    grow();
  }

  function offer(free: ExecutionEnvironment): void {
    progressAt = performance.now();
    clearTimeout(growth);
    growth = undefined;
    const next = waiting.shift();
    if (next === undefined) rest(free);
    else next(free);
    grow();
  }

  function rest(environment: ExecutionEnvironment): void {
    const timer = setTimeout(() => {
      if (warm.size === 1) return;
      idle.splice(
        idle.findIndex((resting) => resting.environment === environment),
        1,
      );
      warm.delete(environment);
      void environment.stop();
    }, unusedTime);
    idle.push({ environment, timer: timer.unref() });
  }

  return {
    /** Never rejects: resolves to an error if loading fails or the pool stops. */
    async acquire() {
      if (stopped) return stoppedError;
      for (let free = idle.pop(); free !== undefined; free = idle.pop()) {
        clearTimeout(free.timer);
        progressAt = performance.now();
        if (free.environment.alive) return free.environment;
        warm.delete(free.environment);
      }
      const answer = new Promise<ExecutionEnvironment | InvocationError>((resolve) => waiting.push(resolve));
      grow();
      return answer;
    },
    release(used: ExecutionEnvironment) {
      if (used.alive) return offer(used);
      warm.delete(used);
      grow();
    },
    async stop() {
      stopped = true;
      clearTimeout(growth);
      for (const { timer } of idle) clearTimeout(timer);
      for (const answer of waiting.splice(0)) answer(stoppedError);
      await Promise.all([...warm, ...loading].map((environment) => environment.stop()));
    },
  };
}

function machineCpuTimes(): CpuTimes {
  const times = cpus().map((core) => core.times);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap((core) => Object.values(core))) };
}

const stoppedError: InvocationError = {
  errorType: 'Sandbox.Stopped',
  errorMessage: 'The local stack has stopped',
  trace: [],
};

/** Limits concurrent loads: each keeps a core busy, so more would slow each other down. */
const maximumStarts = 2;

export function startLimit() {
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

export type StartLimit = ReturnType<typeof startLimit>;
