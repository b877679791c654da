import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { HttpApi, HttpMethod, HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '../support/http-request.ts';
import { runTestStack, stopTestStack, type RunningTestStack } from './test-stack.ts';
import { routeTable, createThrottle } from '../../lib/local/http-api.ts';

let stack: RunningTestStack;

beforeAll(async () => {
  stack = await runTestStack(({ stack, fn, directory }) => {
    // This project has it too, although its bundles are CommonJS.
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
    const api = new HttpApi(stack, 'Api', { createDefaultStage: false });
    new HttpStage(stack, 'Stage', { httpApi: api, stageName: '$default', autoDeploy: true });
    const route = (path: string, methods: HttpMethod[], handler: ReturnType<typeof fn>) =>
      api.addRoutes({
        path,
        methods,
        integration: new HttpLambdaIntegration(`${handler.node.id}Integration`, handler),
      });
    route('/echo', [HttpMethod.GET, HttpMethod.POST], fn('Echo', `return event;`));
    route('/respond', [HttpMethod.POST], fn('Respond', `return JSON.parse(event.body);`));
    route('/text', [HttpMethod.GET], fn('Text', `return 'plain';`));
    route('/throw', [HttpMethod.GET], fn('Throw', `throw new RangeError('secret detail');`));
    route(
      '/slow',
      [HttpMethod.GET],
      fn('Slow', `await new Promise((done) => setTimeout(done, 10_000));`, { timeout: Duration.seconds(1) }),
    );
    route(
      '/environment',
      [HttpMethod.GET],
      fn('Environment', `return { ...process.env };`, { environment: { OWN: 'value' } }),
    );
    route(
      '/concurrent',
      [HttpMethod.GET],
      fn(
        'Concurrent',
        `globalThis.busy = (globalThis.busy ?? 0) + 1; await new Promise((done) => setTimeout(done, 100)); const most = globalThis.busy; globalThis.busy -= 1; return { most };`,
      ),
    );
  });
});
afterAll(() => stopTestStack(stack));

async function send(path: string, options?: Parameters<typeof sendRaw>[2]) {
  const { status, headers, body } = await sendRaw(stack.apiUrl, path, options);
  return { status, headers, text: body.toString() };
}

describe('the response', () => {
  it('carries status, headers, cookies and decoded bytes', async () => {
    const answer = await send('/respond', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        statusCode: 201,
        headers: { 'X-Own': 'yes' },
        cookies: ['a=1', 'b=2'],
        body: Buffer.from('bytes').toString('base64'),
        isBase64Encoded: true,
      }),
    });
    expect(answer).toMatchObject({ status: 201, text: 'bytes' });
    expect(answer.headers).toMatchObject({ 'x-own': 'yes', 'set-cookie': ['a=1', 'b=2'] });
  });

  it('is a JSON 200 if the function returns a bare value', async () => {
    const answer = await send('/text');
    expect(answer).toMatchObject({ status: 200, text: '"plain"' });
    expect(answer.headers['content-type']).toBe('application/json');
  });

  it("is the gateway's own 500 for an error, a timeout or a response that cannot be sent", async () => {
    const unsendable = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ statusCode: 200, headers: { 'bad name': 'x' } }),
    };
    for (const answer of [await send('/throw'), await send('/slow'), await send('/respond', unsendable)]) {
      expect([answer.status, answer.text]).toEqual([500, '{"message":"Internal Server Error"}']);
    }
  });

  it('is 413 over 10 MB and 431 over 10,240 bytes of headers', async () => {
    const large = await send('/echo', {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: Buffer.alloc(10 * 1024 * 1024 + 1, 'a'),
    });
    expect(large.status).toBe(413);
    expect((await send('/echo', { headers: { 'x-long': 'a'.repeat(11_000) } })).status).toBe(431);
  });
});

describe('a function', () => {
  it('sees only its own environment, with endpoints that cannot leave the machine', async () => {
    const json = JSON.parse((await send('/environment')).text) as object;
    expect(json).toMatchObject({ OWN: 'value', AWS_REGION: 'us-east-1' });
    expect(json).not.toHaveProperty('HOME');
    const endpoints = Object.entries(json).filter(([name]) => name.startsWith('AWS_ENDPOINT_URL'));
    expect(endpoints.map(([name]) => name.slice('AWS_ENDPOINT_URL'.length)).sort()).toEqual([
      '',
      '_COGNITO_IDENTITY_PROVIDER',
      '_DYNAMODB',
      '_EVENTBRIDGE',
      '_S3',
      '_SECRETS_MANAGER',
      '_SESV2',
      '_SQS',
    ]);
    for (const [, url] of endpoints) expect(new URL(String(url)).hostname).toBe('127.0.0.1');
  });

  it('handles one event at a time in each environment', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => send('/concurrent')));
    expect(answers.map(({ text }) => (JSON.parse(text) as { most: number }).most)).toEqual([1, 1, 1, 1]);
  });
});

const table = (...routeKeys: string[]) => {
  const find = routeTable(routeKeys.map((routeKey) => ({ routeKey, target: undefined })));
  return (method: string, path: string) => find(method, path)?.routeKey;
};

describe('the route of a request', () => {
  it('is $default for everything else, if there is one', () => {
    expect(table('$default', 'GET /a')('PATCH', '/a/b')).toBe('$default');
    expect(table('GET /a')('GET', '/b')).toBeUndefined();
  });
});

describe('throttle', () => {
  const limit = (rate: number, burst: number) => ({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst });

  it('accepts a burst, then as many per second as the rate says', () => {
    let now = 0;
    const { accepts } = createThrottle({ RouteSettings: { 'GET /a': limit(10, 3) } }, () => now);
    const accepted = () => Array.from({ length: 20 }, () => accepts('GET /a')).filter(Boolean).length;
    expect(accepted()).toBe(3);
    now = 200;
    expect(accepted()).toBe(2);
    now = 60_000;
    expect(accepted(), 'never more than the burst').toBe(3);
  });

  it('gives each route with settings a bucket of its own, and accepts everything on all others', () => {
    const RouteSettings = { 'GET /a': limit(1, 1), 'GET /b': limit(1, 1) };
    const { accepts } = createThrottle({ RouteSettings }, () => 0);
    expect(['GET /a', 'GET /b', 'GET /c'].map(accepts)).toEqual([true, true, true]);
    expect(['GET /a', 'GET /b', 'GET /c'].map(accepts)).toEqual([false, false, true]);
  });

  it('accepts everything without settings', () => {
    const { accepts } = createThrottle({});
    expect(Array.from({ length: 1000 }, () => accepts('GET /a'))).not.toContain(false);
  });
});
