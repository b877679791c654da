import { readFileSync, appendFileSync, existsSync } from 'node:fs';
import { describe, expect, it, type TestContext } from 'vitest';
import { testFunctions } from './test-functions.ts';
import { until } from '../support/until.ts';

describe.concurrent('a function', () => {
  it('keeps its module state from one event to the next', async (context) => {
    const { create } = testFunctions(context);
    const fn = create('let count = 0; exports.handler = async () => ++count;');
    context.expect([await fn.invoke({}), await fn.invoke({})]).toEqual([
      { ok: true, payload: 1 },
      { ok: true, payload: 2 },
    ]);
  });

  it('reports each invocation when it has ended, successful or not', async (context) => {
    const { create, finished } = testFunctions(context);
    const fn = create(
      "exports.handler = async ({ fails }) => { await new Promise((resolve) => setTimeout(resolve, 50)); if (fails) throw new Error('no'); };",
    );
    await fn.invoke({ fails: false });
    await fn.invoke({ fails: true });
    context.expect(finished.map(({ target, event }) => ({ target, event }))).toEqual([
      { target: fn, event: { fails: false } },
      { target: fn, event: { fails: true } },
    ]);
    for (const { milliseconds } of finished) context.expect(milliseconds).toBeGreaterThan(45);
  });

  it('gets its context', async (context) => {
    const { create } = testFunctions(context);
    const fn = create('exports.handler = async (event, c) => ({ ...c, left: c.getRemainingTimeInMillis() });', {
      Timeout: 600,
      MemorySize: 256,
    });
    const result = await fn.invoke({}, { requestId: 'request-1' });
    context.expect(result).toMatchObject({
      ok: true,
      payload: {
        awsRequestId: 'request-1',
        functionName: 'fn',
        functionVersion: '$LATEST',
        memoryLimitInMB: '256',
        invokedFunctionArn: 'arn:fn',
      },
    });
    const left = result.ok && (result.payload as { left: number }).left;
    context.expect(left).toBeGreaterThan(500_000);
    context.expect(left).toBeLessThanOrEqual(600_000);
  });

  it('returns null for undefined, and any other result as JSON', async (context) => {
    const { create } = testFunctions(context);
    const fn = create(
      'exports.handler = async (event) => event.empty ? undefined : { at: new Date(0), gone: undefined };',
    );
    context.expect(await fn.invoke({ empty: true })).toEqual({ ok: true, payload: null });
    context.expect(await fn.invoke({})).toEqual({ ok: true, payload: { at: '1970-01-01T00:00:00.000Z' } });
  });

  it('writes its output to its log, one JSON object per line', async (context) => {
    const { create, logPath } = testFunctions(context);
    const fn = create(
      `exports.handler = async () => { console.log('plain'); console.log(JSON.stringify({ level: 'INFO' })); };`,
    );
    await fn.invoke({});
    const lines = () => readFileSync(logPath, 'utf8').split('\n').slice(0, -1);
    await until(() => lines().length === 2);
    context
      .expect(lines().map((line) => JSON.parse(line)))
      .toEqual([{ timestamp: context.expect.any(String), message: 'plain' }, { level: 'INFO' }]);
  });

  it('never runs more environments than it has reserved', async (context) => {
    const { create } = testFunctions(context);
    const fn = create(
      'const id = Math.random(); exports.handler = async () => { await new Promise((done) => setTimeout(done, 100)); return id; };',
      { ReservedConcurrentExecutions: 2, Timeout: 60 },
    );
    const results = await Promise.all(Array.from({ length: 8 }, () => fn.invoke({})));
    // On busy cores, there may be only one.
    const environments = new Set(results.map((result) => result.ok && result.payload));
    context.expect([...environments].every((id) => typeof id === 'number')).toBe(true);
    context.expect(environments.size).toBeLessThanOrEqual(2);
  });
});

describe.concurrent('a fault', () => {
  const failure = (errorType: string) => ({ ok: false, error: expect.objectContaining({ errorType }) });

  it.for([
    ['a thrown error', `throw new RangeError('no')`, 'RangeError'],
    ['an exit of the process', `process.exit(0)`, 'Runtime.ExitError'],
    [
      'a rejection that nobody handles',
      `Promise.reject(new TypeError('no')); await new Promise((done) => setTimeout(done, 1000))`,
      'TypeError',
    ],
    ['a timeout', `await new Promise((done) => setTimeout(done, 5000))`, 'Sandbox.Timedout'],
    ['a loop without end', `for (;;);`, 'Sandbox.Timedout'],
    [
      'too much memory',
      `const hoard = []; for (;;) hoard.push(new Array(100_000).fill(Math.random()));`,
      'Runtime.OutOfMemory',
    ],
  ] as const)('%s is reported, and the next event is handled', async ([, body, errorType], context) => {
    const { create, warnings, logPath } = testFunctions(context);
    const source = `exports.handler = async (event) => { if (event.fail) { ${body}; } return 'fine'; };`;
    const fn = create(source, { Timeout: errorType === 'Sandbox.Timedout' ? 2 : 120, MemorySize: 64 });
    context.expect(await fn.invoke({ fail: true })).toEqual(failure(errorType));
    context.expect(await fn.invoke({})).toEqual({ ok: true, payload: 'fine' });
    context.expect(warnings).toEqual([`fn failed with ${errorType}; see ${logPath}`]);
  });

  it('stops all work of a function that timed out', async (context) => {
    const { create, path } = testFunctions(context);
    const beats = path('beats');
    const fn = create(
      `exports.handler = () => new Promise(() => setInterval(() => require('node:fs').appendFileSync(${JSON.stringify(beats)}, '.'), 5));`,
      { Timeout: 1 },
    );
    context.expect(await fn.invoke({})).toEqual(failure('Sandbox.Timedout'));
    context.expect(readFileSync(beats).length).toBeGreaterThan(0);
    await until(async () => {
      const { length } = readFileSync(beats);
      await new Promise((resolve) => setTimeout(resolve, 200));
      return readFileSync(beats).length === length;
    });
  });

  it.for([
    ['a module that throws', `throw new SyntaxError('no')`, 'SyntaxError'],
    ['a module without the handler', `exports.other = 1`, 'Error'],
  ] as const)('%s fails every event', async ([, source, errorType], context) => {
    const { create } = testFunctions(context);
    const fn = create(source);
    context.expect(await fn.invoke({})).toEqual(failure(errorType));
    context.expect(await Promise.all([fn.invoke({}), fn.invoke({})])).toEqual([failure(errorType), failure(errorType)]);
  });
});

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
