import fc from 'fast-check';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { describe, it, type TestContext, beforeEach, expect, onTestFinished, vi } from 'vitest';
import { testFunctions } from './test-functions.ts';
import { until } from './test-stack.ts';
import { environmentPool, startLimit } from '../../lib/local/environment-pool.ts';
import type { ExecutionEnvironment, InvocationError } from '../../lib/local/execution-environment.ts';

const blockFor = (milliseconds: number) =>
  `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${milliseconds});`;

function notingFunctions(context: TestContext) {
  const { create, path } = testFunctions(context);
  return {
    create,
    path,
    note: (file: string, text: string) =>
      `require('node:fs').appendFileSync(${JSON.stringify(path(file))}, ${JSON.stringify(text)});`,
    notes: (file: string) => (existsSync(path(file)) ? readFileSync(path(file), 'utf8') : ''),
  };
}

describe.concurrent('environments', () => {
  it('grow to ten while every handler waits for something else', async (context) => {
    const { create, path, note, notes } = notingFunctions(context);
    const fn = create(
      `const { setTimeout: wait } = require('node:timers/promises'); const { existsSync } = require('node:fs');
      exports.handler = async () => { ${note('begun', '.')} while (!existsSync(${JSON.stringify(path('go'))})) await wait(20); };`,
      { Timeout: 600 },
    );
    const all = Promise.all(Array.from({ length: 20 }, () => fn.invoke({})));
    await until(() => notes('begun').length === 10, 200_000);
    appendFileSync(path('go'), '');
    context.expect((await all).every(({ ok }) => ok)).toBe(true);
  });

  it('load at most two at a time across all functions', async (context) => {
    const { create, note, notes } = notingFunctions(context);
    const source = `${note('loads', '(')} ${blockFor(150)} ${note('loads', ')')} exports.handler = async () => {};`;
    await Promise.all(Array.from({ length: 5 }, () => create(source).invoke({})));
    let loading = 0;
    const atOnce = [...notes('loads')].map((mark) => (loading += mark === '(' ? 1 : -1));
    context.expect(Math.max(...atOnce)).toBeLessThanOrEqual(2);
    context.expect(atOnce).toHaveLength(10);
    context.expect(loading).toBe(0);
  });

  it('give the handler its whole time, however long they take to load', async (context) => {
    const { create } = testFunctions(context);
    const fn = create(
      `${blockFor(50)} const loadedAt = Date.now();
      exports.handler = async (event, c) => { const left = c.getRemainingTimeInMillis(); return Date.now() + left - loadedAt; };`,
      { Timeout: 60 },
    );
    const result = await fn.invoke({});
    context.expect(result.ok && result.payload).toBeGreaterThanOrEqual(60_000);
  });

  it('stop with the function, and events that wait for one fail', async (context) => {
    const { create, note, notes } = notingFunctions(context);
    const fn = create(
      `exports.handler = () => { ${note('begun', '.')} return new Promise(() => setInterval(() => {}, 1000)); };`,
      { ReservedConcurrentExecutions: 1, Timeout: 600 },
    );
    const results = [fn.invoke({}), fn.invoke({}), fn.invoke({})];
    await until(() => notes('begun') !== '');
    await fn.stop();
    context.expect((await Promise.all(results)).map(({ ok }) => ok)).toEqual([false, false, false]);
    context.expect((await fn.invoke({})).ok).toBe(false);
  });
});

describe('the pool of environments', () => {
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
});
