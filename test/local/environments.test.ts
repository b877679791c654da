import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'vitest';
import { testFunctions } from './test-functions.ts';
import { until } from './test-stack.ts';

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
