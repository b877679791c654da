import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Duration } from 'aws-cdk-lib';
import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Bucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendRaw } from '../support/http-request.ts';
import { runTestStack, stopTestStack, type RunningTestStack } from './test-stack.ts';

let stack: RunningTestStack;
const script = `console.log(${JSON.stringify('x'.repeat(2000))});`;
const viewerRequest = `
async function handler(event) {
  const request = event.request;
  if (request.uri === '/fault') throw new Error('no');
  if (request.uri === '/gone')
    return {
      statusCode: 410,
      statusDescription: 'Gone',
      headers: { 'content-type': { value: 'text/plain' } },
      body: { encoding: 'text', data: 'gone' },
    };
  if (request.uri.startsWith('/s/')) request.uri = '/index.html';
  request.headers['x-viewer-address'] = { value: event.viewer.ip };
  return request;
}`;

beforeAll(async () => {
  stack = await runTestStack(({ stack, fn, directory }) => {
    const defaultIntegration = new HttpLambdaIntegration(
      'Integration',
      fn(
        'Echo',
        `return { statusCode: 200, headers: { 'x-frame-options': 'SAMEORIGIN' }, body: JSON.stringify(event) };`,
      ),
    );
    const api = new HttpApi(stack, 'Api', { defaultIntegration });
    const failing = fn(
      'Failing',
      `record(event.rawPath + event.rawQueryString);
       const { status } = event.pathParameters;
       const cacheControl = event.queryStringParameters?.cache;
       return { statusCode: Number(status), headers: cacheControl ? { 'cache-control': cacheControl } : {}, body: '' };`,
    );
    api.addRoutes({
      path: '/api/viewer/errors/{status}/{name}',
      methods: [HttpMethod.GET, HttpMethod.POST],
      integration: new HttpLambdaIntegration('FailingIntegration', failing),
    });
    const site = join(directory, 'site');
    mkdirSync(join(site, 'assets'), { recursive: true });
    writeFileSync(join(site, 'index.html'), '<p>page');
    writeFileSync(join(site, 'assets', 'page.js'), script);
    // CDK's types conflict under exactOptionalPropertyTypes.
    const bucket = new Bucket(stack, 'Bucket') as IBucket;
    new BucketDeployment(stack, 'Deployment', {
      destinationBucket: bucket,
      sources: [Source.asset(site), Source.data('settings.json', JSON.stringify({ api: api.apiEndpoint }))],
      cacheControl: [CacheControl.maxAge(Duration.days(1))],
      prune: false,
    });
    const headers = new cloudfront.ResponseHeadersPolicy(stack, 'Headers', {
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy: "default-src 'self'", override: true },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(1), includeSubdomains: true, override: true },
        frameOptions: { frameOption: cloudfront.HeadersFrameOption.DENY, override: false },
      },
      customHeadersBehavior: { customHeaders: [{ header: 'X-Robots-Tag', value: 'noindex', override: true }] },
    });
    const code = new cloudfront.Function(stack, 'Viewer', {
      code: cloudfront.FunctionCode.fromInline(viewerRequest),
      runtime: cloudfront.FunctionRuntime.JS_2_0,
    });
    const functionAssociations = [{ function: code, eventType: cloudfront.FunctionEventType.VIEWER_REQUEST }];
    const apiOrigin = new HttpOrigin(`${api.apiId}.execute-api.${stack.region}.${stack.urlSuffix}`);
    const { ALLOW_ALL } = cloudfront.AllowedMethods;
    const cachePolicy = cloudfront.CachePolicy.CACHING_DISABLED;
    new cloudfront.Distribution(stack, 'Site', {
      defaultRootObject: 'index.html',
      errorResponses: [{ httpStatus: 503, ttl: Duration.seconds(0) }],
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(bucket),
        responseHeadersPolicy: headers,
        functionAssociations,
      },
      additionalBehaviors: {
        '/api/viewer/*': {
          origin: apiOrigin,
          allowedMethods: ALLOW_ALL,
          cachePolicy,
          originRequestPolicy: cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
          responseHeadersPolicy: headers,
          functionAssociations,
        },
        '/api/*': { origin: apiOrigin, cachePolicy },
      },
    });
  });
});
afterAll(() => stopTestStack(stack));

const get = (path: string, options?: Parameters<typeof sendRaw>[2]) => sendRaw(stack.hostedUrl!, path, options);

it('serves the root object and rewritten paths with type, caching and policy headers', async () => {
  for (const path of ['/', '/s/token']) {
    const answer = await get(path);
    expect([answer.status, answer.body.toString()]).toEqual([200, '<p>page']);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html',
      'cache-control': 'max-age=86400',
      'content-security-policy': "default-src 'self'",
      'strict-transport-security': 'max-age=86400; includeSubDomains',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
    });
  }
});

it("puts the template's values into deployed data", async () => {
  expect(JSON.parse((await get('/settings.json')).body.toString())).toEqual({ api: stack.apiUrl });
});

it('compresses large responses if the viewer accepts it', async () => {
  const br = await get('/assets/page.js', { headers: { 'accept-encoding': 'gzip, br' } });
  expect(br.headers['etag']).toMatch(/^W\/"/);
  expect((await get('/assets/page.js', { headers: { 'if-none-match': String(br.headers['etag']) } })).status).toBe(304);
  expect([br.headers['content-encoding'], brotliDecompressSync(br.body).toString()]).toEqual(['br', script]);
  const gzip = await get('/assets/page.js', { headers: { 'accept-encoding': 'gzip' } });
  expect([gzip.headers['content-encoding'], gunzipSync(gzip.body).toString()]).toEqual(['gzip', script]);
  expect((await get('/assets/page.js')).headers).not.toHaveProperty('content-encoding');
  expect((await get('/', { headers: { 'accept-encoding': 'br' } })).headers).not.toHaveProperty('content-encoding');
});

it('responds 304 for an unchanged object', async () => {
  const { headers } = await get('/');
  const again = await get('/', { headers: { 'if-none-match': String(headers['etag']) } });
  expect([again.status, again.body.length]).toEqual([304, 0]);
});

it('responds 403 for a missing object, a malformed path or a path with ..', async () => {
  for (const path of ['/missing', '/%E0%A4%A', '/../package.json', '/%2e%2e/%2e%2e/runner.json']) {
    const answer = await get(path);
    expect([answer.status, answer.headers['content-type']]).toEqual([403, 'application/xml']);
    expect(answer.headers['content-security-policy']).toBe("default-src 'self'");
  }
});

it('refuses a method that the behavior does not allow', async () => {
  expect((await get('/', { method: 'POST', body: 'x' })).status).toBe(403);
  expect((await get('/', { method: 'HEAD' })).status).toBe(200);
});

it('passes everything but Host to the API if the policy says so, with the address that the function adds', async () => {
  const answer = await get('/api/viewer/x%20y?a=1&b=%2F', {
    method: 'POST',
    headers: {
      authorization: 'Bearer t',
      'x-own': '1',
      'x-viewer-address': 'forged',
      cookie: 'c=1',
      'content-type': 'application/json',
    },
    body: '{"a":1}',
  });
  const event = JSON.parse(answer.body.toString());
  expect(event).toMatchObject({
    rawPath: '/api/viewer/x y',
    rawQueryString: 'a=1&b=%2F',
    body: '{"a":1}',
    cookies: ['c=1'],
  });
  expect(event.headers).toMatchObject({
    authorization: 'Bearer t',
    'x-own': '1',
    'x-viewer-address': '127.0.0.1',
    host: new URL(stack.apiUrl).host,
  });
});

it('passes no header, cookie or query string to the API without a policy', async () => {
  const { body } = await get('/api/other?a=1', { headers: { authorization: 'Bearer t', cookie: 'c=1', 'x-own': '1' } });
  const event = JSON.parse(body.toString());
  expect(event).toMatchObject({ rawQueryString: '' });
  expect(event).not.toHaveProperty('cookies');
  for (const absent of ['authorization', 'x-own']) expect(event.headers).not.toHaveProperty(absent);
  expect(event.headers['user-agent']).toBe('Amazon CloudFront');
});

it("keeps an origin's header unless the policy overrides it", async () => {
  const { headers } = await get('/api/viewer/x');
  expect(headers['x-frame-options']).toBe('SAMEORIGIN');
});

it("passes the function's own answer on, with the policy's headers", async () => {
  const { status, headers, body } = await get('/gone');
  expect([status, headers['content-type'], body.toString()]).toEqual([410, 'text/plain', 'gone']);
  expect(headers['content-security-policy']).toBe("default-src 'self'");
});

it('responds 503 if the function throws', async () => {
  expect((await get('/fault')).status).toBe(503);
});

it('answers an error from its cache for 10 s, unless the distribution or the origin says otherwise', async () => {
  const arrivals = async (path: string, method = 'GET') => {
    const before = stack.recorded().length;
    for (const _ of [1, 2]) await get(`/api/viewer/errors/${path}`, { method });
    return stack.recorded().length - before;
  };
  for (const once of ['502/b?cache=no-store', '404/c', '400/d?cache=max-age=60', '503/e?cache=max-age=60', '500/a'])
    expect(await arrivals(once), once).toBe(1);
  expect(await arrivals('500/a?the=query&is=no&part=of&the=key'), 'within 10 s of the first').toBe(0);
  for (const twice of ['503/f', '400/g', '404/h?cache=no-store', '200/i']) expect(await arrivals(twice), twice).toBe(2);
  expect(await arrivals('500/j', 'POST')).toBe(2);
});
