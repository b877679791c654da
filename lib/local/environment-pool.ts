import { availableParallelism } from 'node:os';
import type { ExecutionEnvironment, InvocationError } from './execution-environment.ts';
import type { StartLimit } from './start-limit.ts';

interface EnvironmentPool {
  /** Never rejects: resolves to an error if loading fails or the pool stops. */
  acquire(): Promise<ExecutionEnvironment | InvocationError>;
  release(used: ExecutionEnvironment): void;
  stop(): Promise<void>;
}

interface Settings {
  readonly limit: number;
  readonly starts: StartLimit;
  /** What this process has computed so far, in milliseconds over all cores. */
  readonly usedCpu?: (() => number) | undefined;
  /** Milliseconds after which an environment that nobody needs ends. The last one stays. */
  readonly unusedTime?: number | undefined;
}

/** Milliseconds from one look at a function whose environments are all taken to the next. */
const lookTime = 50;

/** Above this, the cores are the limit, and one more environment would only share them. */
const busyCores = availableParallelism() / 2;

/** Milliseconds without progress after which busy cores do not matter: a function must never wait for ever. */
const patience = 500;

export function environmentPool(
  start: () => ExecutionEnvironment,
  { limit, starts, usedCpu = processCpu, unusedTime = 60_000 }: Settings,
): EnvironmentPool {
  const loading = new Set<ExecutionEnvironment>();
  const warm = new Set<ExecutionEnvironment>();
  const idle: { readonly environment: ExecutionEnvironment; readonly timer: NodeJS.Timeout }[] = [];
  const waiting: ((answer: ExecutionEnvironment | InvocationError) => void)[] = [];
  let starting = 0;
  let growth: NodeJS.Timeout | undefined;
  let progressAt = performance.now();
  let stopped = false;

  /** Must follow each change that may leave somebody waiting. */
  function grow(): void {
    if (stopped || growth !== undefined || waiting.length <= starting || warm.size + starting >= limit) return;
    if (warm.size + starting === 0) {
      void add();
      return;
    }
    const [lookedAt, usedBefore] = [performance.now(), usedCpu()];
    growth = setTimeout(() => {
      growth = undefined;
      const now = performance.now();
      const coresAreBusy = usedCpu() - usedBefore > busyCores * (now - lookedAt);
      // Never waits for a start: a function without any environment goes first.
      if (starts.isFree && (!coresAreBusy || now - progressAt > patience)) void add();
      grow();
    }, lookTime);
  }

  async function add(): Promise<void> {
    starting += 1;
    progressAt = performance.now();
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
    release(used) {
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

function processCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const stoppedError: InvocationError = {
  errorType: 'Sandbox.Stopped',
  errorMessage: 'The local stack has stopped',
  trace: [],
};
