import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addKey, revokeKey } from '../../functions/practices/keys.ts';
import { createPractice } from '../../functions/practices/settings.ts';
import { createdSession } from '../../functions/contract/practice-api.ts';
import { generateApiKey } from '../../functions/domain/api-key.ts';
import { checkedFetch } from '../support/checked-fetch.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';

let service: TestStack;
beforeAll(async () => {
  service = await startTestStack();
});
afterAll(() => service.stop());

interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

async function call(
  method: string,
  path: string,
  init: { key?: string | undefined; body?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { key = service.practice.apiKey, body, headers } = init;
  const response = await checkedFetch(service.apiUrl + path, {
    method,
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

const valid = { invoiceId: 'INV-1', amountCents: 100, patient: { firstName: 'Ada', lastName: 'Okafor' } };
const create201 = (differences: object = {}, headers: Record<string, string> = {}) =>
  call('POST', '/api/practice/sessions', { body: JSON.stringify({ ...valid, ...differences }), headers });

describe('creating a session', () => {
  it('answers 201 with exactly the promised fields', async () => {
    const { status, body, headers } = await create201();
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

  it.each([
    ['no field at all', {}, ['/invoiceId required', '/amountCents required', '/patient required']],
    [
      'every fault at once',
      { invoiceId: '', amountCents: 0, patient: { firstName: 'A'.repeat(101) } },
      ['/invoiceId required', '/amountCents out_of_range', '/patient/firstName too_long', '/patient/lastName required'],
    ],
    [
      'wrong types',
      { invoiceId: 1, amountCents: '100', patient: 'Ada' },
      ['/invoiceId invalid_type', '/amountCents invalid_type', '/patient invalid_type'],
    ],
    ['cents that are not whole', { ...valid, amountCents: 1.5 }, ['/amountCents invalid_type']],
    ['too much money', { ...valid, amountCents: 100_000_000 }, ['/amountCents out_of_range']],
    ['a field of its own', { ...valid, diagnosis: 'secret-value' }, [' unknown_field']],
    [
      'a third name',
      { ...valid, patient: { ...valid.patient, dateOfBirth: 'secret-value' } },
      ['/patient unknown_field'],
    ],
    [
      'health data in metadata',
      { ...valid, metadata: { icd: 'x', note: 'E11.9' } },
      ['/metadata sensitive_data', '/metadata sensitive_data'],
    ],
    [
      '17 metadata keys',
      { ...valid, metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`key${index}`, 'x'])) },
      ['/metadata too_many_keys'],
    ],
    ['metadata that is not text', { ...valid, metadata: { count: 1 } }, ['/metadata invalid_type']],
    ['an array', [], [' invalid_type']],
  ])('with %s tells every fault by its pointer and echoes nothing', async (_, body, expected) => {
    const answer = await call('POST', '/api/practice/sessions', { body: JSON.stringify(body) });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.body).toMatchObject({
      code: 'invalid_request',
      status: 400,
      requestId: answer.headers.get('request-id'),
    });
    const errors = answer.body['errors'] as { pointer: string; code: string; detail: string }[];
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual([...expected].sort());
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
    expect(await call('POST', '/api/practice/sessions', { body, headers })).toMatchObject({ status, body: { code } });
  });

  it.each([
    ["O'Brien", 'Łukasz-Müller'],
    ['山田', '太郎'],
    ['Anne Marie', 'de la Cruz'],
  ])('accepts the name %s %s', async (firstName, lastName) => {
    expect((await create201({ patient: { firstName, lastName } })).status).toBe(201);
  });
});

describe('an idempotency key', () => {
  it('replays the first answer for the same body, in whatever order its keys are', async () => {
    const headers = { 'idempotency-key': 'order-77' };
    const first = await create201({ metadata: { a: '1', b: '2' } }, headers);
    const again = await create201({ metadata: { b: '2', a: '1' } }, headers);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('refuses another body with 422', async () => {
    const headers = { 'idempotency-key': 'order-78' };
    await create201({}, headers);
    expect(await create201({ amountCents: 101 }, headers)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
  });

  it('makes one session of 50 concurrent twins', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create201({}, { 'idempotency-key': 'twins' })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body['sessionId'])).size).toBe(1);
  });

  it('is still unused after a refused request', async () => {
    const headers = { 'idempotency-key': 'order-79' };
    expect((await create201({ amountCents: -1 }, headers)).status).toBe(400);
    expect(await create201({}, headers)).toMatchObject({ status: 201 });
  });

  it('may hold only printable ASCII', async () => {
    expect(await create201({}, { 'idempotency-key': 'x'.repeat(256) })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });
});

describe('an API key', () => {
  const status = (key: string) => call('GET', '/api/practice/sessions/ses_01KAG3ZQ8M0000000000000001/status', { key });

  it('is needed, and the answer says so', async () => {
    const answer = await status('');
    expect(answer).toMatchObject({ status: 401, body: { code: 'api_key_missing' } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each([
    ['mistyped', () => service.practice.apiKey.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')), 'api_key_invalid'],
    ['unknown', () => generateApiKey('sandbox', randomBytes).apiKey, 'api_key_invalid'],
    ['for the other mode', () => generateApiKey('live', randomBytes).apiKey, 'api_key_wrong_mode'],
  ])('that is %s is refused', async (_, key, code) => {
    expect(await status(key())).toMatchObject({ status: 401, body: { code } });
  });

  it('is refused from the next request on once it is revoked', async () => {
    const { practiceId } = service.practice;
    const { apiKey, keyId } = await addKey(service.operated, { practiceId, name: 'short-lived' }, Date.now());
    expect(await status(apiKey)).toMatchObject({ status: 404 });
    await revokeKey(service.operated, { practiceId, keyId }, Date.now());
    expect(await status(apiKey)).toMatchObject({ status: 401, body: { code: 'api_key_revoked' } });
  });

  it('does only what its scopes say', async () => {
    const { apiKey } = await addKey(
      service.operated,
      { practiceId: service.practice.practiceId, name: 'reader', scopes: ['sessions:read'] },
      Date.now(),
    );
    expect(await call('POST', '/api/practice/sessions', { key: apiKey, body: JSON.stringify(valid) })).toMatchObject({
      status: 403,
      body: { code: 'scope_missing' },
    });
    expect(await status(apiKey)).toMatchObject({ status: 404 });
  });

  it('opens no other practice: its sessions are as if they did not exist', async () => {
    const stranger = await createPractice(service.operated, { name: 'Other Practice' }, Date.now());
    const { body } = await create201();
    const path = `/api/practice/sessions/${String(body['sessionId'])}/status`;
    expect(await call('GET', path)).toMatchObject({ status: 200, body: { status: 'pending', invoiceId: 'INV-1' } });
    expect(await call('GET', path, { key: stranger.apiKey })).toMatchObject({
      status: 404,
      body: { code: 'session_not_found' },
    });
  });
});

describe('anything else', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/api/practice/session'],
    ['DELETE', '/api/practice/sessions'],
    ['POST', '/api/practice/sessions/x/status'],
  ])('%s %s is a problem of its own', async (method, path) => {
    expect(await call(method, path)).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
  });
});
