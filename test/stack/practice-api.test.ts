import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createdSession } from '../../functions/contract/sessions/create-session.ts';
import { checkedFetch, checkExchange } from '../support/checked-fetch.ts';
import { sendHttp } from '../support/http-request.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

const valid = { invoiceId: 'INV-1', amountCents: 100, patient: { firstName: 'Ada', lastName: 'Okafor' } };
const create = (differences: object = {}, headers: Record<string, string> = {}) =>
  service.sessionsApi('POST', '', { body: JSON.stringify({ ...valid, ...differences }), headers });

describe('creating a session', () => {
  it('answers 201 with exactly the documented fields', async () => {
    const { status, body, headers } = await create();
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual([
      'amountCents',
      'createdAt',
      'expiresAt',
      'hostedUrl',
      'sessionId',
      'status',
    ]);
    const created = createdSession.parse(body);
    expect(Date.parse(created.expiresAt) - Date.parse(created.createdAt)).toBe(7 * 86_400_000);
    expect(headers.get('request-id')).toBeTruthy();
    expect(headers.get('content-type')).toBe('application/json');
  });

  it('with several faults lists every one by its pointer, and echoes no value', async () => {
    const patient = { firstName: 'A'.repeat(101), dateOfBirth: 'secret-value' };
    const body = JSON.stringify({ ...valid, amountCents: 0, patient, diagnosis: 'secret-value' });
    const answer = await service.sessionsApi('POST', '', { body });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.body).toMatchObject({
      code: 'invalid_request',
      status: 400,
      requestId: answer.headers.get('request-id'),
    });
    const errors = answer.body['errors'] as { pointer: string; code: string }[];
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual([
      ' unknown_field',
      '/amountCents out_of_range',
      '/patient unknown_field',
      '/patient/firstName too_long',
      '/patient/lastName required',
    ]);
    expect(JSON.stringify(answer.body)).not.toMatch(/secret-value|diagnosis|dateOfBirth/);
  });

  it.each([
    ['text that is not JSON', '{"invoiceId":', 400, 'invalid_json', {}],
    ['another media type', JSON.stringify(valid), 415, 'unsupported_media_type', { 'content-type': 'text/plain' }],
    [
      'more than 16 KiB',
      JSON.stringify({ ...valid, metadata: { note: 'x'.repeat(17_000) } }),
      413,
      'body_too_large',
      {},
    ],
  ])('refuses %s', async (_, body, status, code, headers) => {
    expect(await service.sessionsApi('POST', '', { body, headers })).toMatchObject({ status, body: { code } });
  });

  it.each([
    ['en', '?lang=en'],
    ['es', '?lang=es'],
    [undefined, ''],
  ])('in the language %s makes a link that ends in %j', async (locale, end) => {
    const { body } = await create({ locale });
    expect(String(body['hostedUrl']).replace(/^.*\/s\/[\w-]{43}/, '')).toBe(end);
  });
});

describe('an idempotency key', () => {
  it('replays the first answer for the same body, in any order of its keys', async () => {
    const headers = { 'idempotency-key': 'order-77' };
    const first = await create({ metadata: { a: '1', b: '2' } }, headers);
    const again = await create({ metadata: { b: '2', a: '1' } }, headers);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it.each([{ amountCents: 101 }, { locale: 'es' }, { returnUrl: 'https://practice.example/' }])(
    'refuses another body with 422: %j',
    async (difference) => {
      const headers = { 'idempotency-key': `order-78-${JSON.stringify(difference)}` };
      await create({}, headers);
      expect(await create(difference, headers)).toMatchObject({
        status: 422,
        body: { code: 'idempotency_key_reused' },
      });
    },
  );

  it('creates one session for 50 equal requests at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({}, { 'idempotency-key': 'twins' })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body['sessionId'])).size).toBe(1);
  });

  it('can be used again after a refused request', async () => {
    const headers = { 'idempotency-key': 'order-79' };
    expect((await create({ amountCents: -1 }, headers)).status).toBe(400);
    expect(await create({}, headers)).toMatchObject({ status: 201 });
  });

  it.each(['x'.repeat(256), 'Zoë'])('cannot be %s', async (key) => {
    expect(await create({}, { 'idempotency-key': key })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });
});

async function sendBytes(parts: AsyncIterable<string> | Iterable<string>): Promise<string> {
  const { hostname, port } = new URL(service.apiUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const answer = text(socket);
  for await (const part of parts) socket.write(part);
  return answer;
}

describe('the gateway', () => {
  const head = 'POST /api/practice/sessions HTTP/1.1\r\nhost: x\r\nconnection: close\r\n';

  it.each([
    ['GET', '/'],
    ['GET', '/api/practice/session'],
    ['GET', '/api/practice/sessions/'],
    ['GET', '/api/practice/sessions//status'],
  ])('answers %s %s, a path that no route has, with a problem that leads to the docs', async (method, path) => {
    const response = await checkedFetch(service.apiUrl + path, { method });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      code: 'route_not_found',
      type: `${service.dashboardUrl}/docs/errors#route_not_found`,
    });
    expect(response.headers.get('allow')).toBeNull();
  });

  it.each([
    '//api/practice/sessions',
    '/api//practice/sessions',
    '/api/practice/sessions/',
    '/api/practice/sessions//',
    '/api/practice/sessions//status',
    '/openapi.json/',
    '//openapi.json',
    '//',
  ])('says that the path %s has a slash too many', async (path) => {
    for (const method of ['GET', 'POST']) {
      const response = await checkedFetch(service.apiUrl + path, { method });
      expect(await response.json()).toMatchObject({
        code: 'route_not_found',
        detail: 'Remove the double slash or the slash at the end of the path. An ID in the path must not be empty.',
      });
    }
  });

  it.each(['/', '/api/practice/session', '/api/practice/sessions?a=//b/'])(
    'says nothing of slashes about the path %s',
    async (path) => {
      const response = await checkedFetch(service.apiUrl + path, { method: 'PUT' });
      expect(JSON.stringify(await response.json())).not.toContain('slash');
    },
  );

  it.each([
    ['DELETE', '/api/practice/sessions', 'GET, POST'],
    ['POST', '/api/practice/sessions/x/status', 'GET'],
    ['HEAD', '/api/practice/sessions/x/status?a=b', 'GET'],
    ['OPTIONS', '/api/practice/sessions/x/cancel', 'POST'],
  ])('answers %s %s with the methods that the path has', async (method, path, methods) => {
    const response = await fetch(service.apiUrl + path, { method });
    const { status, headers } = response;
    expect([status, headers.get('allow')]).toEqual([405, methods]);
    if (method === 'HEAD') return;
    const body = await response.text();
    expect(JSON.parse(body)).toMatchObject({ code: 'method_not_allowed', requestId: headers.get('request-id') });
    checkExchange({ method, path, status, headers, body });
  });

  it.each([
    ['a head of more than 10,240 bytes', `${head}x-long: ${'x'.repeat(11_000)}\r\n\r\n`, 431],
    ['anything but HTTP', 'secret-value\r\n\r\n', 400],
    ['a length that is not a number', `${head}content-length: ten\r\n\r\n`, 400],
    [
      'two ways to find the end of the body',
      `${head}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['a header name with a space', `${head}a b: c\r\n\r\n`, 400],
    ['a path with a control character', 'GET /\x7f HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['a NUL in a header', `${head}a: \0\r\n\r\n`, 400],
  ])('refuses %s', async (_, bytes, status) => {
    const answer = await sendBytes([bytes]);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).not.toContain('secret-value');
  });

  it('refuses more than 10 MB and answers the next request', async () => {
    const request = {
      method: 'POST',
      target: '/api/practice/sessions',
      headers: [['content-type', 'application/json'] as const],
      body: Buffer.alloc(10 * 1024 * 1024 + 1, 'x'),
    };
    expect(await sendHttp(service.apiUrl, request, 40_000)).toMatchObject({ status: 413 });
    expect(await sendHttp(service.apiUrl, { ...request, body: Buffer.alloc(0) })).toMatchObject({ status: 401 });
  });

  it('accepts a body that arrives byte by byte, and serves others in the meantime', async () => {
    const body = JSON.stringify(valid);
    let meanwhile = 0;
    async function* slowly() {
      yield `${head}authorization: Bearer ${service.practice.apiKey}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
      for (const byte of body.slice(0, -1)) {
        yield byte;
        await wait(5);
      }
      meanwhile = (await fetch(service.apiUrl)).status;
      yield body.slice(-1);
    }
    expect(await sendBytes(slowly())).toMatch(/^HTTP\/1.1 201 /);
    expect(meanwhile).toBe(404);
  });
});
