import { HttpApi, HttpMethod, HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '../support/http-request.ts';
import { runTestStack, stopTestStack, type RunningTestStack } from './test-stack.ts';

let stack: RunningTestStack;

beforeAll(async () => {
  stack = await runTestStack(({ stack, fn }) => {
    const api = new HttpApi(stack, 'Api', { createDefaultStage: false });
    new HttpStage(stack, 'Stage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      stageVariables: { a: '1' },
    });
    const integration = new HttpLambdaIntegration('Integration', fn('Echo', `return event;`));
    api.addRoutes({ path: '/echo', methods: [HttpMethod.GET, HttpMethod.POST], integration });
    for (const path of ['/things/{id}', '/things/{id}/parts/{part}', '/things/special'])
      api.addRoutes({ path, methods: [HttpMethod.GET], integration });
  });
});
afterAll(() => stopTestStack(stack));

async function send(path: string, options?: Parameters<typeof sendRaw>[2]) {
  const { status, body } = await sendRaw(stack.apiUrl, path, options);
  return { status, event: body.length > 0 ? JSON.parse(body.toString()) : undefined };
}

describe('the event of payload format 2.0', () => {
  it('has lower-case header names, joins repeated headers with commas and lists cookies separately', async () => {
    const { event } = await send('/echo', {
      headers: { 'X-Many': ['a', 'b'], 'X-CASE': 'Kept', Cookie: 'one=1; two=2' },
    });
    expect(event.headers).toMatchObject({ 'x-many': 'a,b', 'x-case': 'Kept' });
    expect(event.headers).not.toHaveProperty('cookie');
    expect(event.cookies).toEqual(['one=1', 'two=2']);
  });

  it('keeps the raw query string and joins repeated parameters with commas', async () => {
    const { event } = await send('/echo?status=a&status=b%2Cc&empty=&plus=a+b');
    expect(event.rawQueryString).toBe('status=a&status=b%2Cc&empty=&plus=a+b');
    expect(event.queryStringParameters).toEqual({ status: 'a,b,c', empty: '', plus: 'a b' });
  });

  it('decodes the path and its parameters', async () => {
    const { event } = await send('/things/a%20b');
    expect(event).toMatchObject({
      routeKey: 'GET /things/{id}',
      rawPath: '/things/a b',
      pathParameters: { id: 'a b' },
    });
  });

  it('leaves malformed percent-encoding as it is', async () => {
    const { status, event } = await send('/things/%E0%A4%A?x=%zz');
    expect(status).toBe(200);
    expect(event).toMatchObject({
      pathParameters: { id: '%E0%A4%A' },
      queryStringParameters: { x: '%zz' },
      rawQueryString: 'x=%zz',
    });
  });

  it('has the variables of the stage', async () => {
    expect((await send('/echo')).event.stageVariables).toEqual({ a: '1' });
  });

  it('leaves out an absent body, cookies, query and path parameters', async () => {
    const { event } = await send('/echo');
    for (const absent of ['body', 'cookies', 'queryStringParameters', 'pathParameters'])
      expect(event).not.toHaveProperty(absent);
    expect(event).toMatchObject({ version: '2.0', isBase64Encoded: false, rawQueryString: '' });
  });

  it('passes JSON as text and other bytes in base64', async () => {
    const text = await send('/echo', {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: '{"a":"ä"}',
    });
    expect(text.event).toMatchObject({ body: '{"a":"ä"}', isBase64Encoded: false });
    const bytes = await send('/echo', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: Buffer.from([0xff, 0]),
    });
    expect(bytes.event).toMatchObject({ body: '/wA=', isBase64Encoded: true });
  });

  it('describes the request in its context', async () => {
    const before = Date.now();
    const { event } = await send('/things/7', { headers: { 'user-agent': 'test/1' } });
    expect(event.requestContext).toMatchObject({
      http: { method: 'GET', path: '/things/7', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test/1' },
      routeKey: 'GET /things/{id}',
      stage: '$default',
      domainName: new URL(stack.apiUrl).host,
    });
    expect(event.requestContext.timeEpoch).toBeGreaterThanOrEqual(before);
    expect(event.requestContext.time).toMatch(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/);
    expect(event.requestContext.requestId).not.toBe('');
  });
});

describe('routes', () => {
  it('prefer a literal segment to a parameter', async () => {
    expect((await send('/things/special')).event.routeKey).toBe('GET /things/special');
    expect((await send('/things/1/parts/2')).event.pathParameters).toEqual({ id: '1', part: '2' });
  });

  it('respond 404 for a path or method without a route, HEAD and OPTIONS included', async () => {
    for (const [path, method] of [
      ['/nowhere', 'GET'],
      ['/things/1', 'POST'],
      ['/things/1', 'OPTIONS'],
      ['/things/', 'GET'],
    ] as const) {
      const answer = await send(path, { method });
      expect([answer.status, answer.event]).toEqual([404, { message: 'Not Found' }]);
    }
    expect((await send('/things/1', { method: 'HEAD' })).status).toBe(404);
  });
});
