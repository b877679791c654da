import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startLimit, type StartLimit } from '../../lib/local/environment-pool.ts';
import { createFunctionLog, type FunctionLog } from '../../lib/local/function-log.ts';
import { createFunction, type FinishedInvocation, type LocalFunction } from '../../lib/local/functions.ts';
import { until } from './test-stack.ts';

let directory: string;
let log: FunctionLog;
let starts: StartLimit;
let started: LocalFunction[];
let finished: FinishedInvocation[];
const warnings: string[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'local-functions-'));
  log = createFunctionLog(directory, (line) => warnings.push(line));
  starts = startLimit();
  started = [];
  finished = [];
  warnings.length = 0;
});
afterEach(async () => {
  await Promise.all(started.map((fn) => fn.stop()));
  await log.close();
  rmSync(directory, { recursive: true, force: true });
});

function create(
  source: string,
  properties: { Timeout?: number; MemorySize?: number; ReservedConcurrentExecutions?: number } = {},
): LocalFunction {
  const key = `code${started.length}`;
  mkdirSync(join(directory, `asset.${key}`));
  writeFileSync(join(directory, `asset.${key}`, 'index.js'), source);
  const fn = createFunction(
    {
      logicalId: 'Fn',
      name: 'fn',
      properties: {
        Code: { S3Bucket: 'b', S3Key: `${key}.zip` },
        Handler: 'index.handler',
        Runtime: 'nodejs24.x',
        ...properties,
      },
    },
    {
      assetDirectory: directory,
      arn: 'arn:fn',
      baseEnvironment: {},
      log,
      starts,
      onInvocation: (invocation) => finished.push(invocation),
    },
  );
  started.push(fn);
  return fn;
}

describe('a function', () => {
  it('keeps what its module holds from one event to the next', async () => {
    const fn = create('let count = 0; exports.handler = async () => ++count;');
    expect([await fn.invoke({}), await fn.invoke({})]).toEqual([
      { ok: true, payload: 1 },
      { ok: true, payload: 2 },
    ]);
  });

  it('reports each invocation when it has ended, successful or not', async () => {
    const fn = create(
      "exports.handler = async ({ fails }) => { await new Promise((resolve) => setTimeout(resolve, 50)); if (fails) throw new Error('no'); };",
    );
    await fn.invoke({ fails: false });
    await fn.invoke({ fails: true });
    expect(finished.map(({ target, event }) => ({ target, event }))).toEqual([
      { target: fn, event: { fails: false } },
      { target: fn, event: { fails: true } },
    ]);
    for (const { milliseconds } of finished) expect(milliseconds).toBeGreaterThan(45);
  });

  it('gets its context', async () => {
    const fn = create('exports.handler = async (event, c) => ({ ...c, left: c.getRemainingTimeInMillis() });', {
      Timeout: 7,
      MemorySize: 256,
    });
    const result = await fn.invoke({}, { requestId: 'request-1' });
    expect(result).toMatchObject({
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
    expect(left).toBeGreaterThan(6000);
    expect(left).toBeLessThanOrEqual(7000);
  });

  it('returns null for undefined, and any other result as JSON', async () => {
    const fn = create(
      'exports.handler = async (event) => event.empty ? undefined : { at: new Date(0), gone: undefined };',
    );
    expect(await fn.invoke({ empty: true })).toEqual({ ok: true, payload: null });
    expect(await fn.invoke({})).toEqual({ ok: true, payload: { at: '1970-01-01T00:00:00.000Z' } });
  });

  it('writes its output to its log, one JSON object per line', async () => {
    const fn = create(
      `exports.handler = async () => { console.log('plain'); console.log(JSON.stringify({ level: 'INFO' })); };`,
    );
    await fn.invoke({});
    const lines = () => readFileSync(log.path('fn'), 'utf8').split('\n').slice(0, -1);
    await until(() => lines().length === 2);
    expect(lines().map((line) => JSON.parse(line))).toEqual([
      { timestamp: expect.any(String), message: 'plain' },
      { level: 'INFO' },
    ]);
  });

  it('never runs more environments than it has reserved', async () => {
    const fn = create(
      'const id = Math.random(); exports.handler = async () => { await new Promise((done) => setTimeout(done, 100)); return id; };',
      { ReservedConcurrentExecutions: 2 },
    );
    const results = await Promise.all(Array.from({ length: 8 }, () => fn.invoke({})));
    expect(new Set(results.map((result) => result.ok && result.payload)).size).toBe(2);
  });
});

describe('environments', () => {
  const path = (name: string) => join(directory, name);
  const note = (file: string, text: string) =>
    `require('node:fs').appendFileSync(${JSON.stringify(path(file))}, ${JSON.stringify(text)});`;
  const notes = (file: string) => (existsSync(path(file)) ? readFileSync(path(file), 'utf8') : '');
  const blockFor = (milliseconds: number) =>
    `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${milliseconds});`;

  it('stay few in a burst of short events', async () => {
    const fn = create(`${note('loads', '.')} exports.handler = () => new Promise((done) => setTimeout(done, 5));`);
    await Promise.all(Array.from({ length: 60 }, () => fn.invoke({})));
    expect(notes('loads').length).toBeLessThan(5);
  });

  it('grow to ten while every handler waits for something else', async () => {
    const fn = create(
      `const { setTimeout: wait } = require('node:timers/promises'); const { existsSync } = require('node:fs');
      exports.handler = async () => { ${note('begun', '.')} while (!existsSync(${JSON.stringify(path('go'))})) await wait(20); };`,
      { Timeout: 10 },
    );
    const all = Promise.all(Array.from({ length: 20 }, () => fn.invoke({})));
    await until(() => notes('begun').length === 10);
    appendFileSync(path('go'), '');
    expect((await all).every(({ ok }) => ok)).toBe(true);
  });

  it('load at most two at a time across all functions', async () => {
    const source = `${note('loads', '(')} ${blockFor(150)} ${note('loads', ')')} exports.handler = async () => {};`;
    await Promise.all(Array.from({ length: 5 }, () => create(source).invoke({})));
    let loading = 0;
    const atOnce = [...notes('loads')].map((mark) => (loading += mark === '(' ? 1 : -1));
    expect(Math.max(...atOnce)).toBeLessThanOrEqual(2);
    expect(atOnce).toHaveLength(10);
    expect(loading).toBe(0);
  });

  it('may take longer to load than the time-out of the handler', async () => {
    const fn = create(`${blockFor(1200)} exports.handler = async (event, c) => c.getRemainingTimeInMillis();`, {
      Timeout: 1,
    });
    const result = await fn.invoke({});
    expect(result.ok && result.payload).toBeGreaterThan(800);
  });

  it('stop with the function, and events that wait for one fail', async () => {
    const fn = create(
      `exports.handler = () => { ${note('begun', '.')} return new Promise(() => setInterval(() => {}, 1000)); };`,
      { ReservedConcurrentExecutions: 1, Timeout: 10 },
    );
    const results = [fn.invoke({}), fn.invoke({}), fn.invoke({})];
    await until(() => notes('begun') !== '');
    await fn.stop();
    expect((await Promise.all(results)).map(({ ok }) => ok)).toEqual([false, false, false]);
    expect((await fn.invoke({})).ok).toBe(false);
  });
});

describe('a fault', () => {
  const failure = (errorType: string) => ({ ok: false, error: expect.objectContaining({ errorType }) });

  it.each([
    ['a thrown error', `throw new RangeError('no')`, 'RangeError'],
    ['an exit of the process', `process.exit(0)`, 'Runtime.ExitError'],
    [
      'a rejection that nobody handles',
      `Promise.reject(new TypeError('no')); await new Promise((done) => setTimeout(done, 1000))`,
      'TypeError',
    ],
    ['a time-out', `await new Promise((done) => setTimeout(done, 5000))`, 'Sandbox.Timedout'],
    ['a loop without end', `for (;;);`, 'Sandbox.Timedout'],
    [
      'too much memory',
      `const hoard = []; for (;;) hoard.push(new Array(100_000).fill(Math.random()));`,
      'Runtime.OutOfMemory',
    ],
  ])(
    '%s is reported, and the next event is handled',
    async (_, body, errorType) => {
      const fn = create(`exports.handler = async (event) => { if (event.fail) { ${body}; } return 'fine'; };`, {
        Timeout: 1,
        MemorySize: 64,
      });
      expect(await fn.invoke({ fail: true })).toEqual(failure(errorType));
      expect(await fn.invoke({})).toEqual({ ok: true, payload: 'fine' });
      expect(warnings).toEqual([`fn failed with ${errorType}; see ${log.path('fn')}`]);
    },
    10_000,
  );

  it('stops all work of a function that timed out', async () => {
    const beats = join(directory, 'beats');
    const fn = create(
      `exports.handler = () => new Promise(() => setInterval(() => require('node:fs').appendFileSync(${JSON.stringify(beats)}, '.'), 5));`,
      { Timeout: 1 },
    );
    expect(await fn.invoke({})).toEqual(failure('Sandbox.Timedout'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { length } = readFileSync(beats);
    expect(length).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(readFileSync(beats)).toHaveLength(length);
  });

  it.each([
    ['a module that throws', `throw new SyntaxError('no')`, 'SyntaxError'],
    ['a module without the handler', `exports.other = 1`, 'Error'],
  ])('%s fails every event', async (_, source, errorType) => {
    const fn = create(source);
    expect(await fn.invoke({})).toEqual(failure(errorType));
    expect(await Promise.all([fn.invoke({}), fn.invoke({})])).toEqual([failure(errorType), failure(errorType)]);
  });
});
