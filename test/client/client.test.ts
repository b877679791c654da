import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import {
  createPaymentClient,
  isProblem,
  PaymentConnectionError,
  PaymentProblem,
  type ClientOptions,
  type PaymentClient,
} from '../../web/client/index.ts';
import { startServer } from '../support/server.ts';
import { retryWait } from '../../web/client/send.ts';

interface ReceivedRequest {
  readonly at: number;
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Reply = (response: ServerResponse) => void;

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'request-id': 'req-1', ...headers })
      .end(JSON.stringify(body));
const problem = (status: number, code: string, extra: object = {}, headers: Record<string, string> = {}) =>
  json(
    status,
    { type: 'about:blank', title: 'x', status, detail: 'Do this.', code, requestId: 'req-1', ...extra },
    headers,
  );
const silence: Reply = () => {};
const reset: Reply = (response) => response.socket?.resetAndDestroy();

const newSession = { invoiceId: 'INV-1', amountCents: 18_250, patient: { firstName: 'Ada', lastName: 'Okafor' } };
const created = { sessionId: 'ses_1', hostedUrl: 'https://pay.example/s/x', status: 'pending' };

const stops: (() => void)[] = [];
afterAll(() => stops.forEach((stop) => stop()));

/** Sends one reply after another, and then repeats the last one. */
async function serve(replies: readonly Reply[], options: Partial<ClientOptions> = {}) {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const body = await text(request);
    requests.push({ at: Date.now(), method, url, headers, body });
    replies[Math.min(requests.length, replies.length) - 1]?.(response);
  });
  const apiUrl = `http://127.0.0.1:${await startServer(server, (stop) => stops.push(stop))}`;
  return { apiUrl, requests, client: createPaymentClient({ apiUrl, apiKey: 'key-1', ...options }) };
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.unreachable('no error'),
    (error: unknown) => error,
  );
}

describe('a request', () => {
  it('carries the key and the body, and returns the answer', async () => {
    const { client, requests } = await serve([json(201, created)]);
    expect(await client.sessions.create(newSession, { idempotencyKey: 'inv-1' })).toEqual(created);
    expect(requests).toMatchObject([
      {
        method: 'POST',
        url: '/api/practice/sessions',
        headers: { authorization: 'Bearer key-1', 'content-type': 'application/json', 'idempotency-key': 'inv-1' },
        body: JSON.stringify(newSession),
      },
    ]);
  });

  it('cannot leave the path of its session', async () => {
    const { client, requests } = await serve([json(200, {})]);
    await client.sessions.get('../events?x=/');
    expect(requests[0]?.url).toBe('/api/practice/sessions/..%2Fevents%3Fx%3D%2F/status');
  });

  it('gets a new idempotency key if none is given', async () => {
    const { client, requests } = await serve([json(200, created)]);
    await client.sessions.create(newSession);
    await client.sessions.create(newSession);
    await client.sessions.cancel('ses_1');
    const keys = requests.map(({ headers }) => headers['idempotency-key']);
    for (const key of keys) expect(key).toMatch(/^[\da-f-]{36}$/);
    expect(new Set(keys).size).toBe(3);
  });

  it('does not follow a redirect, which would leak the key', async () => {
    const { client, requests } = await serve([json(307, {}, { location: '/elsewhere' })]);
    expect(await failureOf(client.sessions.get('ses_1'))).toMatchObject({ status: 307, code: 'gateway_error' });
    expect(requests).toHaveLength(1);
  });
});

// Concurrent, because they wait.
describe.concurrent('a retry', () => {
  it('repeats a request that was accepted but not answered in time, with its idempotency key', async () => {
    const { client, requests } = await serve([silence, json(201, created)], { timeout: 1000 });
    expect(await client.sessions.create(newSession)).toEqual(created);
    const [first, second] = requests;
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    expect(second?.body).toBe(first?.body);
  });

  it.each([
    ['a connection reset', reset],
    ['500', problem(500, 'internal_error')],
    ['503 of a gateway', json(503, { message: 'Service Unavailable' })],
    ['502 without JSON', (response) => response.writeHead(502).end('<html>Bad Gateway')],
  ] satisfies [string, Reply][])('follows %s', async (_, reply) => {
    const { client, requests } = await serve([reply, json(200, created)]);
    expect(await client.sessions.get('ses_1')).toEqual(created);
    expect(requests).toHaveLength(2);
  });

  it('follows an answer that stops in its middle', async () => {
    const half: Reply = (response) => response.writeHead(200, { 'content-length': '99' }).write('{');
    const { client } = await serve([half, json(200, created)], { timeout: 1000 });
    expect(await client.sessions.get('ses_1')).toEqual(created);
  });

  it('waits as long as Retry-After says', async () => {
    const limited = json(429, { message: 'Too Many Requests' }, { 'retry-after': '1' });
    const { client, requests } = await serve([limited, json(200, created)]);
    await client.sessions.get('ses_1');
    expect((requests[1]?.at ?? 0) - (requests[0]?.at ?? 0)).toBeGreaterThanOrEqual(1000);
  });

  it('does not wait for minutes, but says how long to wait', async () => {
    const { client, requests } = await serve([json(429, { message: 'x' }, { 'retry-after': '61' })]);
    expect(await failureOf(client.sessions.get('ses_1'))).toMatchObject({ status: 429, retryAfter: 61_000 });
    expect(requests).toHaveLength(1);
  });

  it('understands a date in Retry-After', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const { client } = await serve([json(503, {}, { 'retry-after': date })]);
    const { retryAfter } = (await failureOf(client.sessions.get('ses_1'))) as PaymentProblem;
    expect(retryAfter).toBeGreaterThan(3_500_000);
    expect(retryAfter).toBeLessThanOrEqual(3_600_000);
  });

  it('repeats the creation of a webhook endpoint with one key', async () => {
    const { client, requests } = await serve([json(503, {}), json(201, { endpointId: 'whe_1' })]);
    await client.webhookEndpoints.create({ url: 'https://hooks.example.com/' });
    const [first, second] = requests.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect(second).toBe(first);
  });

  it('repeats the erasure of a patient without a key, because the second one does nothing more', async () => {
    const erased = { sessionId: 'ses_1', scrubbedAt: '2026-11-20T10:00:00.000Z' };
    const { client, requests } = await serve([problem(503, 'temporarily_unavailable'), json(200, erased)]);
    expect(await client.sessions.erasePatient('ses_1')).toEqual(erased);
    expect(requests).toHaveLength(2);
    expect(requests[1]?.headers['idempotency-key']).toBeUndefined();
  });

  it.each([
    ['a POST without an idempotency key', 'simulate'],
    ['a DELETE, whose second answer would be another', 'delete'],
  ] as const)('does not repeat %s', async (_, call) => {
    const { client, requests } = await serve([json(503, { message: 'Service Unavailable' })]);
    const { sandbox, webhookEndpoints } = client;
    await failureOf(call === 'delete' ? webhookEndpoints.delete('whe_1') : sandbox.simulate('ses_1', 'user_good'));
    expect(requests).toHaveLength(1);
  });

  it('ends with the fourth attempt, which throws what happened', async () => {
    const { client, requests } = await serve([reset]);
    expect(await failureOf(client.sessions.get('ses_1'))).toBeInstanceOf(PaymentConnectionError);
    expect(requests).toHaveLength(4);
  });

  it('does not hide that nobody answered in time', async () => {
    const { client } = await serve([silence], { timeout: 50, maximumAttempts: 2 });
    const error = await failureOf(client.sessions.create(newSession));
    expect(error).toBeInstanceOf(PaymentConnectionError);
    expect(String(error)).toBe('PaymentConnectionError: No answer within 50 ms.');
  });

  it('can be turned off, for a client or for a request', async () => {
    const { client, requests } = await serve([problem(500, 'internal_error')], { maximumAttempts: 1 });
    await failureOf(client.sessions.get('ses_1'));
    await failureOf(client.sessions.get('ses_1', { maximumAttempts: 2 }));
    expect(requests).toHaveLength(3);
  });

  it.each([400, 401, 404, 409, 422])('does not follow %i', async (status) => {
    const { client, requests } = await serve([problem(status, 'cancellation_pending', {}, { 'retry-after': '1' })]);
    await failureOf(client.sessions.cancel('ses_1'));
    expect(requests).toHaveLength(1);
  });
});

describe('a mistake in a call', () => {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  const withMetadata = (value: unknown) => ({ ...newSession, metadata: { value } as Record<string, string> });
  const timeoutError = 'RangeError: timeout must be a whole number of milliseconds from 1 to 2147483647';
  const keyError =
    'TypeError: idempotencyKey has a character that no header can carry, such as a line break or a curly quote';

  it.each([
    ['a dash in the idempotency key', (c) => c.sessions.create(newSession, { idempotencyKey: 'rechnung–7' }), keyError],
    ['a line break in it', (c) => c.sessions.cancel('ses_1', { idempotencyKey: 'inv\n7' }), keyError],
    ['a control character', (c) => c.sessions.cancel('ses_1', { idempotencyKey: 'inv\x7f' }), keyError],
    [
      'an invalid date',
      (c) => c.sessions.list({ createdSince: new Date('x') }).next(),
      'RangeError: createdSince is not a valid date',
    ],
    ['a BigInt', (c) => c.sessions.create(withMetadata(1n)), /^TypeError: .*BigInt/],
    ['a circular reference', (c) => c.sessions.create(withMetadata(circular)), /^TypeError: .*circular/],
    ['no number as timeout', (c) => c.sessions.get('ses_1', { timeout: NaN }), timeoutError],
    ['no time to answer', (c) => c.sessions.get('ses_1', { timeout: 0 }), timeoutError],
    ['a timeout that no timer can count', (c) => c.sessions.get('ses_1', { timeout: 2 ** 31 }), timeoutError],
  ] satisfies [string, (client: PaymentClient) => Promise<unknown>, string | RegExp][])(
    'such as %s is thrown before anything is sent',
    async (_, call, message) => {
      let sent = 0;
      const { client } = await serve([json(200, created)], {
        fetch: (url, init) => {
          sent += 1;
          return fetch(url, init);
        },
      });
      expect(String(await failureOf(call(client)))).toMatch(message);
      expect(sent).toBe(0);
    },
  );

  it('is left to the service if it can be sent', async () => {
    const { client, requests } = await serve([problem(400, 'invalid_request')]);
    const error = await failureOf(client.sessions.create(newSession, { idempotencyKey: 'é' }));
    expect(isProblem(error, 'invalid_request')).toBe(true);
    expect(requests).toHaveLength(1);
  });
});

describe('an abort', () => {
  it.each([1, 4])('ends a request of at most %i attempts with the reason of the signal', async (maximumAttempts) => {
    const { client, requests } = await serve([silence], { maximumAttempts });
    const reason = new Error('the user left');
    const controller = new AbortController();
    const failure = failureOf(client.sessions.get('ses_1', { signal: controller.signal }));
    await expect.poll(() => requests.length).toBe(1);
    controller.abort(reason);
    expect(await failure).toBe(reason);
    expect(requests).toHaveLength(1);
  });

  it('ends the wait for a retry', async () => {
    const { client } = await serve([json(503, {}, { 'retry-after': '50' })]);
    const started = Date.now();
    const signal = AbortSignal.timeout(50);
    expect(await failureOf(client.sessions.get('ses_1', { signal }))).toBe(signal.reason);
    expect(Date.now() - started).toBeLessThan(40_000);
  });

  it('before the request sends nothing', async () => {
    const { client, requests } = await serve([json(200, created)]);
    expect(await failureOf(client.sessions.get('ses_1', { signal: AbortSignal.abort('no') }))).toBe('no');
    expect(requests).toEqual([]);
  });
});

describe('a refusal', () => {
  it('is a problem with everything that the service said', async () => {
    const errors = [
      { pointer: '/amountCents', code: 'out_of_range', detail: 'x', expected: 'integer', minimum: 50, maximum: 99 },
      { pointer: '/metadata', index: 0, code: 'sensitive_data', detail: 'x' },
    ];
    const { client } = await serve([problem(400, 'invalid_request', { errors })]);
    const error = await failureOf(client.sessions.create(newSession));
    expect(error).toBeInstanceOf(PaymentProblem);
    expect(error).toMatchObject({ code: 'invalid_request', status: 400, requestId: 'req-1', errors });
    expect(String(error).split('\n')).toEqual([
      'PaymentProblem: 400 invalid_request: Do this.',
      '  /amountCents out_of_range, expected integer, minimum 50, maximum 99',
      '  /metadata sensitive_data, index 0',
    ]);
  });

  it('is narrowed by its code', async () => {
    const { client } = await serve([problem(409, 'session_not_cancellable', { sessionStatus: 'succeeded' })]);
    const error = await failureOf(client.sessions.cancel('ses_1'));
    expect(isProblem(error)).toBe(true);
    expect(isProblem(error, 'payment_not_voidable', 'cancellation_pending')).toBe(false);
    expect(isProblem(error, 'session_not_cancellable') && error.sessionStatus).toBe('succeeded');
    expect(isProblem(new Error('session_not_cancellable'), 'session_not_cancellable')).toBe(false);
  });

  it.each([
    ['413 of a gateway', json(413, { message: 'Request Entity Too Large' }, { 'apigw-requestid': 'gw-1' }), 413],
    ['403 without JSON', (response) => response.writeHead(403, { 'apigw-requestid': 'gw-1' }).end('<html>'), 403],
    ['200 without JSON', (response) => response.writeHead(200, { 'apigw-requestid': 'gw-1' }).end('<html>'), 200],
    ['an empty 200', (response) => response.writeHead(200, { 'apigw-requestid': 'gw-1' }).end(), 200],
  ] satisfies [string, Reply, number][])('that is %s is a gateway error', async (_, reply, status) => {
    const { client } = await serve([reply]);
    const error = await failureOf(client.sessions.create(newSession));
    expect(error).toMatchObject({ code: 'gateway_error', status, requestId: 'gw-1', errors: [] });
    expect(String(error)).not.toContain('html');
  });
});

describe('a list', () => {
  const page = (ids: readonly string[], nextCursor: string | null) =>
    json(200, { data: ids.map((sessionId) => ({ sessionId })), nextCursor });

  async function idsOf(items: AsyncIterable<{ readonly sessionId: string }>) {
    const ids: string[] = [];
    for await (const { sessionId } of items) ids.push(sessionId);
    return ids;
  }

  it('continues past short and empty pages until there is no cursor', async () => {
    const { client, requests } = await serve([page(['a', 'b'], 'c1'), page([], 'c2'), page(['c'], null)]);
    expect(await idsOf(client.sessions.list({ status: ['pending', 'failed'], invoiceId: 'INV/1 ä' }))).toEqual([
      'a',
      'b',
      'c',
    ]);
    const filters = 'status=pending&status=failed&invoiceId=INV%2F1+%C3%A4&limit=100';
    expect(requests.map(({ url }) => url?.split('?')[1])).toEqual([
      filters,
      `${filters}&cursor=c1`,
      `${filters}&cursor=c2`,
    ]);
  });

  it('takes its period as dates or as strings', async () => {
    const { client, requests } = await serve([page([], null)]);
    const createdBefore = '2026-11-20T00:00:00.000Z';
    await idsOf(client.sessions.list({ createdSince: new Date(0), createdBefore, returned: true }));
    expect(Object.fromEntries(new URLSearchParams(requests[0]?.url?.split('?')[1]))).toEqual({
      createdSince: '1970-01-01T00:00:00.000Z',
      createdBefore,
      returned: 'true',
      limit: '100',
    });
  });

  it('does not request a page that nobody reads', async () => {
    const { client, requests } = await serve([page(['a', 'b'], 'c1')]);
    for await (const { sessionId } of client.sessions.list()) if (sessionId === 'b') break;
    expect(requests).toHaveLength(1);
  });

  it('continues after a fault midway', async () => {
    const { client } = await serve([page(['a'], 'c1'), reset, page(['b'], null)]);
    expect(await idsOf(client.sessions.list())).toEqual(['a', 'b']);
  });

  it('can also be read page by page', async () => {
    const { client, requests } = await serve([page(['a'], 'c1')]);
    expect(await client.sessions.listPage({ limit: 1, cursor: 'c0' })).toEqual({
      data: [{ sessionId: 'a' }],
      nextCursor: 'c1',
    });
    expect(requests[0]?.url).toBe('/api/practice/sessions?limit=1&cursor=c0');
  });
});

describe('a client', () => {
  it.each([
    ['a key over plain http', { apiUrl: 'http://api.example.com' }, 'apiUrl must begin with https://'],
    [
      'a key to the host of a container',
      { apiUrl: 'http://host.docker.internal:4000' },
      'Only localhost, 127.0.0.1 and [::1] may use http://',
    ],
    ['another protocol', { apiUrl: 'ftp://127.0.0.1' }, 'apiUrl must begin with https://'],
    ['no URL', { apiUrl: '' }, 'apiUrl is not a URL'],
    ['a query', { apiUrl: 'https://api.example.com/v1?region=us' }, 'apiUrl must end with its path'],
    ['an empty query', { apiUrl: 'https://api.example.com/v1?' }, 'apiUrl must end with its path'],
    ['a fragment', { apiUrl: 'https://api.example.com/#v1' }, 'apiUrl must end with its path'],
    ['a user name', { apiUrl: 'https://user@api.example.com' }, 'apiUrl must not have a user name or a password'],
    ['a password', { apiUrl: 'https://:secret@api.example.com' }, 'apiUrl must not have a user name or a password'],
    ['no key', { apiKey: '' }, 'apiKey is empty'],
    ['a curly quote in the key', { apiKey: 'key-1’' }, 'apiKey has a character that no header can carry'],
  ])('is not made with %s', (_, wrong, message) => {
    const options = { apiUrl: 'https://api.example.com', apiKey: 'key-1', ...wrong };
    expect(() => createPaymentClient(options)).toThrow(message);
  });

  it.each(['key-\n4242', '\nkey-4242', 'key-4242\x01'])('does not quote %j, which no header can carry', (apiKey) => {
    try {
      createPaymentClient({ apiUrl: 'https://api.example.com', apiKey });
      expect.unreachable('no error');
    } catch (error) {
      expect(inspect(error)).toMatch(/^TypeError: apiKey has a character/);
      expect(inspect(error)).not.toContain('4242');
    }
  });

  it.each([
    ['', ''],
    ['/', ''],
    ['//', ''],
    ['/payments', '/payments'],
    ['/payments/', '/payments'],
    ['/payments/v1//', '/payments/v1'],
  ])('keeps the path of a URL that ends with %j, without slashes at its end', async (path, kept) => {
    const server = await serve([json(200, created)]);
    const client = createPaymentClient({ apiUrl: `${server.apiUrl}${path}`, apiKey: 'key-1' });
    await client.sessions.get('ses_1');
    expect(server.requests[0]?.url).toBe(`${kept}/api/practice/sessions/ses_1/status`);
  });

  it('takes a key with a line break at its end, as in a file', async () => {
    const { client, requests } = await serve([json(200, created)], { apiKey: 'key-1\r\n' });
    await client.sessions.get('ses_1');
    expect(requests[0]?.headers.authorization).toBe('Bearer key-1');
  });
});

describe('retry', () => {
  const fault = new PaymentConnectionError('x');

  describe('the wait before a retry', () => {
    it('doubles up to eight seconds, with full jitter', () => {
      const longest = [1, 2, 3, 4, 5, 6, 7].map((attempt) => retryWait(fault, attempt, 1));
      expect(longest).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000]);
      expect(retryWait(fault, 4, 0.5)).toBe(1000);
      expect(retryWait(fault, 4, 0)).toBe(0);
    });

    it('does not happen after an error in the program', () => {
      expect(retryWait(new TypeError('x'), 1, 1)).toBeUndefined();
    });
  });
});
