import { createServer as createSocketServer, type Socket } from 'node:net';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, afterEach, vi } from 'vitest';
import { answerText } from '../../bin/practice/layout.ts';
import { day, hour } from '../../functions/domain/time.ts';
import { getDeliveryDetail } from '../../functions/webhooks/list-deliveries.ts';
import { getDeliveryLog } from '../../functions/webhooks/delivery-log.ts';
import { postWebhook } from '../../functions/webhooks/post.ts';
import { deliveryId } from '../../functions/store/webhooks/deliveries.ts';
import { listAttempts } from '../../functions/store/webhooks/delivery-log.ts';
import { putAll } from '../support/put-all.ts';
import { startServer } from '../support/server.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';

const tables = await startTestTables();
const { database } = tables;

/** An endpoint whose server takes every webhook and then answers with these bytes. */
async function answering(bytes: string) {
  const server = { requests: 0 };
  const port = await startServer(
    createSocketServer((socket: Socket) => {
      socket.once('data', () => {
        server.requests += 1;
        socket.end(bytes);
      });
    }),
  );
  const service = await anEndpoint(tables, { url: `http://127.0.0.1:${port}/hook` });
  service.tools.post = (post, connections) => postWebhook(post, true, { connections });
  return { ...service, server };
}

describe('a receiver that has the webhook', () => {
  it.each([
    ['a header of 20 kB', `HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`],
    ['a header of 300 kB', `HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: ${'y'.repeat(300_000)}\r\n\r\n`],
    ['a folded header', 'HTTP/1.1 200 OK\r\nX: y\r\n z\r\nContent-Length: 0\r\n\r\n'],
    ['line feeds alone', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n'],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: y\r\nContent-Length: 0\r\n\r\n'],
  ])('and says so with %s gets it once', async (_, bytes) => {
    const { server, event, attempt, row, endpoint, state } = await answering(bytes);
    const keys = [await event(), await event(), await event(), await event(), await event(), await event()];
    for (const key of keys) {
      await attempt(key, 1);
      expect(await row(key)).toMatchObject({ status: 'delivered', attempts: 1 });
    }
    expect(server.requests).toBe(6);
    expect(state.tickets).toEqual([]);
    expect(await endpoint()).toMatchObject({ status: 'enabled', firstDeliveredAt: expect.any(String) });
    expect(await endpoint()).not.toHaveProperty('failingSince');
  });

  it('but answers with something other than HTTP gets it three times, and its circuit stays closed', async () => {
    const { server, event, attempts, row, endpoint, practiceId, state } = await answering('OK\r\n');
    const keys = [await event(), await event()];
    for (const key of keys) {
      await attempts(key, 3);
      expect(await row(key)).toMatchObject({ status: 'failed', attempts: 3 });
    }
    expect(server.requests).toBe(6);
    expect(await endpoint()).toMatchObject({ failedAttempts: 6, lastFailure: { error: 'unreadable_response' } });
    expect(await endpoint()).not.toHaveProperty('circuitOpenUntil');
    expect(await endpoint()).not.toHaveProperty('consecutiveNoResponses');
    const { deliveries } = await getDeliveryLog(tables, { practiceId }, state.now);
    expect(deliveries[0]?.attempts).toMatchObject(
      [1, 2, 3].map(() => ({ error: 'unreadable_response', responseExcerpt: 'OK\r\n' })),
    );
  });

  it('and answers readably ends the count of those that did not answer', async () => {
    const { server, event, attempt, endpoint, tools } = await answering('nonsense\r\n');
    const { post } = tools;
    tools.post = async () => ({ error: 'connection_refused', responseTruncated: false });
    for (const _ of [1, 2, 3, 4]) await attempt(await event(), 1);
    expect(await endpoint()).toMatchObject({ consecutiveNoResponses: 4, lastFailure: { error: 'connection_refused' } });
    tools.post = post;
    await attempt(await event(), 1);
    expect(server.requests).toBe(1);
    expect(await endpoint()).not.toHaveProperty('consecutiveNoResponses');
  });
});

it('a redirect is kept with where it leads, for the log, the dashboard and the email', async () => {
  const { event, attempt, row, endpoint, practiceId, state } = await answering(
    'HTTP/1.1 301 Moved\r\nLocation: https://www.example.com/hook\r\nContent-Length: 0\r\n\r\n',
  );
  const key = await event();
  await attempt(key, 1);
  const made = { statusCode: 301, redirectsTo: 'https://www.example.com/hook' };
  expect(await row(key)).toMatchObject({ status: 'failed' });
  expect((await getDeliveryDetail(tables, { ...key, practiceId })).attempts).toMatchObject([made]);
  expect((await getDeliveryLog(tables, { practiceId }, state.now)).deliveries[0]?.attempts).toMatchObject([made]);
  expect((await endpoint()).lastFailure).toEqual(made);
});

it('what an attempt before these reasons left is still read', async () => {
  const { event, row, practiceId, state } = await anEndpoint(tables);
  const key = await event();
  const old = { url: 'https://hooks.example.com/', startedAt: '2026-11-20T10:00:00.000Z', durationMilliseconds: 5 };
  const errors = ['network_error', 'timeout', 'blocked_address'] as const;
  const attempts = errors.map((error, index) => ({
    ...old,
    error,
    attemptNumber: index + 1,
    responseTruncated: false,
  }));
  await putAll(database, 'deliveries', [{ ...(await row(key)), attempts: 3 }]);
  await putAll(
    database,
    'attempts',
    attempts.map((attempt) => ({ ...attempt, deliveryId: deliveryId(key) })),
  );
  expect((await getDeliveryDetail(tables, { ...key, practiceId })).attempts).toMatchObject(attempts);
  const { deliveries } = await getDeliveryLog(tables, { practiceId, since: state.now - hour }, state.now + day);
  expect(deliveries[0]?.attempts.map(answerText)).toEqual([
    'network error in 5 ms',
    'timeout in 5 ms',
    'blocked address in 5 ms',
  ]);
});

it.each([
  [{ statusCode: 204 }, '204 in 5 ms'],
  [{ error: 'certificate_expired' }, 'certificate expired in 5 ms'],
  [{ statusCode: 200, error: 'unreadable_response' }, '200 (unreadable response) in 5 ms'],
  [{ statusCode: 301, redirectsTo: 'https://www.example.com/' }, '301 to https://www.example.com/ in 5 ms'],
  [{ statusCode: 301, redirectsTo: 'http://[\u009b2J' }, String.raw`301 to http://[\u009b2J in 5 ms`],
  [{}, 'no answer in 5 ms'],
] as const)('the command writes %j as “%s”', (outcome, text) => {
  expect(answerText({ ...outcome, durationMilliseconds: 5 })).toBe(text);
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

async function attemptAnswered(
  status: number,
  answer: (request: { headers: string; body: string }) => string | Buffer,
) {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    response
      .writeHead(status, { 'x-answer': 'Zq-answer-header' })
      .end(answer({ headers: JSON.stringify(request.headers), body }));
  });
  const url = `http://127.0.0.1:${await startServer(server)}/`;
  const made = await anEndpoint(tables, { url });
  const key = await made.event();
  vi.stubEnv('LOG_LEVEL', 'INFO');
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await made.attempt(key, 1, { post: (post) => postWebhook(post, true) });
  const logged = written.mock.calls.map(([line]) => String(line)).join('');
  written.mockRestore();
  const [attempt] = await listAttempts(tables.database, await made.row(key));
  if (!attempt) throw new Error('no attempt');
  return { ...made, key, attempt, logged, secret: (await made.endpoint()).signingSecret };
}

// Pages have run responses as scripts, and logs have kept them.
describe("a receiver's response", () => {
  it('is recorded as it is, even if a page would interpret it, and is not logged', async () => {
    const hostile =
      '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>\r\n{"level":"ERROR"}\u0000\u001b[2J\u009b31m\u202e';
    const { attempt, logged, endpointId } = await attemptAnswered(500, () => hostile);
    expect(attempt).toMatchObject({ statusCode: 500, responseExcerpt: hostile, responseTruncated: false });
    expect(logged).toContain(endpointId);
    const lines = logged.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual(['webhook attempt']);
    for (const part of ['script', 'onerror', '\u001b', '\u009b', 'Zq-answer-header'])
      expect(logged).not.toContain(part);
  });

  it('holds no secret, even if it echoes the request', async () => {
    const { attempt, logged, secret, key } = await attemptAnswered(500, ({ headers, body }) => headers + body);
    expect(attempt.responseExcerpt).toContain(key.eventId);
    const encoded = secret.replace('whsec_', '');
    const bytes = Buffer.from(encoded, 'base64');
    for (const form of [secret, encoded, bytes.toString('hex'), bytes.toString('latin1'), 'Okafor', 'Ada'])
      expect(attempt.responseExcerpt).not.toContain(form);
    expect(logged).not.toContain('webhook-signature');
  });

  it('takes up at most 48 KiB of its row, even if each byte becomes three in UTF-8', async () => {
    const { attempt, row, key } = await attemptAnswered(200, () => Buffer.alloc(1024 * 1024, 0xff));
    expect(attempt).toMatchObject({ statusCode: 200, responseTruncated: true });
    expect(attempt.responseExcerpt).toBe('\ufffd'.repeat(16_384));
    expect(Buffer.byteLength(JSON.stringify(attempt))).toBeLessThan(50 * 1024);
    expect(await row(key)).toMatchObject({ status: 'delivered' });
  });
});
