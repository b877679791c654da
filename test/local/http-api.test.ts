import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { HttpApi, HttpMethod, HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTestStack, stopTestStack, type RunningTestStack } from './test-stack.ts';

let stack: RunningTestStack;

beforeAll(async () => {
  stack = await runTestStack(({ stack, fn, directory }) => {
    // As in this project, although bundles are CommonJS.
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
    const api = new HttpApi(stack, 'Api', { createDefaultStage: false });
    new HttpStage(stack, 'Stage', { httpApi: api, stageName: '$default', autoDeploy: true });
    const route = (path: string, methods: HttpMethod[], handler: ReturnType<typeof fn>) =>
      api.addRoutes({
        path,
        methods,
        integration: new HttpLambdaIntegration(`${handler.node.id}Integration`, handler),
      });
    const echo = fn('Echo', `return event;`);
    route('/echo', [HttpMethod.ANY], echo);
    route('/things/{id}', [HttpMethod.GET], echo);
    route('/things/{id}/parts/{part}', [HttpMethod.GET], echo);
    route('/things/special', [HttpMethod.GET], echo);
    route('/files/{path+}', [HttpMethod.GET], echo);
    route('/respond', [HttpMethod.POST], fn('Respond', `return JSON.parse(event.body);`));
    route('/text', [HttpMethod.GET], fn('Text', `return 'plain';`));
    route('/throw', [HttpMethod.GET], fn('Throw', `throw new RangeError('secret detail');`));
    route(
      '/slow',
      [HttpMethod.GET],
      fn('Slow', `await new Promise((done) => setTimeout(done, 10_000));`, { timeout: Duration.seconds(1) }),
    );
    const impatient = (path: string, handler: ReturnType<typeof fn>) =>
      api.addRoutes({
        path,
        integration: new HttpLambdaIntegration(`${handler.node.id}Integration`, handler, {
          timeout: Duration.millis(200),
        }),
      });
    const waits = (milliseconds: number) => `await new Promise((done) => setTimeout(done, ${milliseconds}));`;
    impatient('/too-slow', fn('TooSlow', waits(1000)));
    impatient('/one-by-one', fn('OneByOne', waits(120), { reservedConcurrentExecutions: 1 }));
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
}, 30_000);
afterAll(() => stopTestStack(stack));

/** Sends the raw path and headers, which fetch would normalize. */
function send(
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string | string[]>; body?: string | Buffer } = {},
) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string; json: any }>(
    (resolve, reject) => {
      const { hostname, port } = new URL(stack.apiUrl);
      const outgoing = request({ hostname, port, path, method, headers }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text,
            get json() {
              return JSON.parse(text);
            },
          });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    },
  );
}

describe('the event of payload format 2.0', () => {
  it('has lower-case header names, joins repeated headers with commas and lists cookies separately', async () => {
    const { json } = await send('/echo', {
      headers: { 'X-Many': ['a', 'b'], 'X-CASE': 'Kept', Cookie: 'one=1; two=2' },
    });
    expect(json.headers).toMatchObject({ 'x-many': 'a,b', 'x-case': 'Kept' });
    expect(json.headers).not.toHaveProperty('cookie');
    expect(json.cookies).toEqual(['one=1', 'two=2']);
  });

  it('keeps the raw query string and joins repeated parameters with commas', async () => {
    const { json } = await send('/echo?status=a&status=b%2Cc&empty=&plus=a+b');
    expect(json.rawQueryString).toBe('status=a&status=b%2Cc&empty=&plus=a+b');
    expect(json.queryStringParameters).toEqual({ status: 'a,b,c', empty: '', plus: 'a b' });
  });

  it('decodes the path and its parameters', async () => {
    const { json } = await send('/things/a%20b');
    expect(json).toMatchObject({ routeKey: 'GET /things/{id}', rawPath: '/things/a b', pathParameters: { id: 'a b' } });
  });

  it('leaves malformed percent-encoding as it is', async () => {
    const { status, json } = await send('/things/%E0%A4%A?x=%zz');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      pathParameters: { id: '%E0%A4%A' },
      queryStringParameters: { x: '%zz' },
      rawQueryString: 'x=%zz',
    });
  });

  it('leaves out an absent body, cookies, query and path parameters', async () => {
    const { json } = await send('/echo');
    for (const absent of ['body', 'cookies', 'queryStringParameters', 'pathParameters'])
      expect(json).not.toHaveProperty(absent);
    expect(json).toMatchObject({ version: '2.0', isBase64Encoded: false, rawQueryString: '' });
  });

  it('passes JSON as text and other bytes in base64', async () => {
    const text = await send('/echo', {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: '{"a":"ä"}',
    });
    expect(text.json).toMatchObject({ body: '{"a":"ä"}', isBase64Encoded: false });
    const bytes = await send('/echo', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: Buffer.from([0xff, 0]),
    });
    expect(bytes.json).toMatchObject({ body: '/wA=', isBase64Encoded: true });
  });

  it('describes the request in its context', async () => {
    const before = Date.now();
    const { json } = await send('/things/7', { headers: { 'user-agent': 'test/1' } });
    expect(json.requestContext).toMatchObject({
      http: { method: 'GET', path: '/things/7', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test/1' },
      routeKey: 'GET /things/{id}',
      stage: '$default',
      domainName: new URL(stack.apiUrl).host,
    });
    expect(json.requestContext.timeEpoch).toBeGreaterThanOrEqual(before);
    expect(json.requestContext.time).toMatch(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/);
    expect(json.requestContext.requestId).not.toBe('');
  });
});

describe('routes', () => {
  it('prefer a literal segment to a parameter, and a parameter to a greedy one', async () => {
    expect((await send('/things/special')).json.routeKey).toBe('GET /things/special');
    expect((await send('/things/1/parts/2')).json.pathParameters).toEqual({ id: '1', part: '2' });
    expect((await send('/files/a/b.txt')).json.pathParameters).toEqual({ path: 'a/b.txt' });
  });

  it('respond 404 for a path or method without a route, HEAD and OPTIONS included', async () => {
    for (const [path, method] of [
      ['/nowhere', 'GET'],
      ['/things/1', 'POST'],
      ['/things/1', 'OPTIONS'],
      ['/things/', 'GET'],
    ] as const) {
      const answer = await send(path, { method });
      expect([answer.status, answer.json]).toEqual([404, { message: 'Not Found' }]);
    }
    expect((await send('/things/1', { method: 'HEAD' })).status).toBe(404);
  });
});

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

  it("is the gateway's own 500 for an error, a time-out or a response that cannot be sent", async () => {
    const unsendable = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ statusCode: 200, headers: { 'bad name': 'x' } }),
    };
    for (const answer of [await send('/throw'), await send('/slow'), await send('/respond', unsendable)]) {
      expect([answer.status, answer.text]).toEqual([500, '{"message":"Internal Server Error"}']);
    }
  });

  it("is 503 when a function runs longer than the integration's time-out, which does not count the wait for it", async () => {
    expect((await send('/too-slow')).status).toBe(503);
    const answers = await Promise.all([1, 2, 3, 4].map(() => send('/one-by-one')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
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
    const { json } = await send('/environment');
    expect(json).toMatchObject({ OWN: 'value', AWS_REGION: 'us-east-1' });
    expect(json).not.toHaveProperty('HOME');
    const endpoints = Object.entries(json).filter(([name]) => name.startsWith('AWS_ENDPOINT_URL'));
    expect(endpoints.map(([name]) => name.slice('AWS_ENDPOINT_URL'.length)).sort()).toEqual([
      '',
      '_DYNAMODB',
      '_EVENTBRIDGE',
      '_S3',
      '_SQS',
    ]);
    for (const [, url] of endpoints) expect(new URL(String(url)).hostname).toBe('127.0.0.1');
  });

  it('handles one event at a time in each environment', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => send('/concurrent')));
    expect(answers.map(({ json }) => json.most)).toEqual([1, 1, 1, 1]);
  });
});
