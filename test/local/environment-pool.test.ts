import fc from 'fast-check';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { environmentPool, startLimit } from '../../lib/local/environment-pool.ts';
import type { ExecutionEnvironment, InvocationError } from '../../lib/local/execution-environment.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
});

const broken: InvocationError = { errorType: 'Error', errorMessage: 'no', trace: [] };
const never = () => Promise.reject(new Error('nothing runs here'));

function pool({ coresAreBusy = false, limit = 10 } = {}) {
  const loading: ((error?: InvocationError) => void)[] = [];
  const alive = new Set<ExecutionEnvironment>();
  const inUse: ExecutionEnvironment[] = [];
  const answers: (ExecutionEnvironment | InvocationError)[] = [];
  let acquired = 0;
  const { acquire, release } = environmentPool(
    () => {
      const { promise: loaded, resolve } = Promise.withResolvers<InvocationError | undefined>();
      const environment: ExecutionEnvironment = {
        loaded,
        get alive() {
          return alive.has(environment);
        },
        run: never,
        stop: async () => void alive.delete(environment),
      };
      loading.push((error) => {
        if (error === undefined) alive.add(environment);
        resolve(error);
      });
      return environment;
    },
    {
      limit,
      starts: startLimit(),
      cpuTimes: () => ({ idle: coresAreBusy ? 0 : performance.now(), all: performance.now() }),
    },
  );
  return {
    alive,
    inUse,
    loading,
    answers,
    get unanswered() {
      return acquired - answers.length;
    },
    acquire() {
      acquired += 1;
      void acquire().then((answer) => {
        answers.push(answer);
        if (!('errorType' in answer)) inUse.push(answer);
      });
    },
    release(dead = false) {
      const environment = inUse.shift();
      if (environment === undefined) return;
      if (dead) alive.delete(environment);
      release(environment);
    },
    pass: (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds),
  };
}

type Pool = ReturnType<typeof pool>;

const steps: Readonly<Record<string, (tested: Pool) => unknown>> = {
  acquire: (tested) => tested.acquire(),
  release: (tested) => tested.release(),
  'end in an invocation': (tested) => tested.release(true),
  'end without one': ({ alive, inUse }) => alive.delete([...alive].find((one) => !inUse.includes(one)) ?? fake),
  load: ({ loading }) => loading.shift()?.(),
  'fail to load': ({ loading }) => loading.shift()?.(broken),
  wait: ({ pass }) => pass(60),
  'wait long': ({ pass }) => pass(70_000),
};
const fake: ExecutionEnvironment = { loaded: Promise.resolve(undefined), alive: false, run: never, stop: never };

it('every waiting caller gets an answer, whatever happens to the environments', async () => {
  const step = fc.constantFrom(...Object.keys(steps), 'acquire', 'acquire', 'load');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 3 }), async (names, limit) => {
      const tested = pool({ coresAreBusy: limit === 3, limit });
      for (const name of names) {
        await steps[name]?.(tested);
        await tested.pass(0);
        expect(tested.alive.size).toBeLessThanOrEqual(limit);
        expect(tested.inUse.every(({ alive }) => alive)).toBe(true);
      }
      for (let rounds = 0; rounds < 200 && tested.unanswered > 0; rounds += 1) {
        while (tested.loading.length > 0) tested.loading.shift()?.();
        tested.release(rounds < 100);
        await tested.pass(60);
      }
      expect(tested.unanswered).toBe(0);
    }),
  );
});

it('another environment starts if all are busy for 50 ms', async () => {
  const tested = pool();
  tested.acquire();
  await tested.pass(0);
  tested.loading.shift()?.();
  tested.acquire();
  await tested.pass(49);
  expect(tested.loading).toHaveLength(0);
  await tested.pass(1);
  expect(tested.loading).toHaveLength(1);
});

it('on busy cores, another one starts only after a second without progress', async () => {
  const tested = pool({ coresAreBusy: true });
  for (let number = 0; number < 20; number += 1) tested.acquire();
  await tested.pass(0);
  tested.loading.shift()?.();
  for (let number = 0; number < 5; number += 1) {
    await tested.pass(900);
    tested.release();
  }
  expect(tested.loading).toHaveLength(0);
  await tested.pass(1100);
  expect(tested.loading).toHaveLength(1);
});

it('an environment that does not load does not block the next one', async () => {
  const tested = pool();
  tested.acquire();
  await tested.pass(0);
  tested.loading.shift()?.();
  tested.acquire();
  await tested.pass(60);
  tested.loading.shift()?.(broken);
  await tested.pass(60);
  tested.loading.shift()?.();
  await tested.pass(0);
  expect(tested.inUse).toHaveLength(2);
});

it('environments end after a minute of idleness, except one', async () => {
  const tested = pool();
  for (let number = 0; number < 3; number += 1) {
    tested.acquire();
    await tested.pass(60);
    tested.loading.shift()?.();
    await tested.pass(0);
  }
  expect(tested.alive.size).toBe(3);
  for (let number = 0; number < 3; number += 1) tested.release();
  for (let number = 0; number < 5; number += 1) {
    await tested.pass(15_000);
    tested.acquire();
    await tested.pass(0);
    tested.release();
  }
  expect(tested.alive.size).toBe(1);
  await tested.pass(120_000);
  expect(tested.alive.size).toBe(1);
});
