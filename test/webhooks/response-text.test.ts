import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listAttempts } from '../../functions/store/delivery-log.ts';
import { postWebhook } from '../../functions/webhooks/post.ts';
import { startTestTables } from '../support/test-tables.ts';
import { anEndpoint } from './an-endpoint.ts';

const tables = await startTestTables();

const closing: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const close of closing.splice(0)) close();
});

/** A practice's server that answers to what it was sent; one attempt of one delivery to it, and what was logged meanwhile. */
async function anAttemptAnswered(
  status: number,
  answer: (asked: { headers: string; body: string }) => string | Buffer,
) {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    response
      .writeHead(status, { 'x-answer': 'Zq-answer-header' })
      .end(answer({ headers: JSON.stringify(request.headers), body }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  const made = await anEndpoint(tables);
  const key = await made.event();
  vi.stubEnv('LOG_LEVEL', 'INFO');
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await made.attempt(key, 1, { post: (post) => postWebhook({ ...post, url }, true) });
  const logged = written.mock.calls.map(([line]) => String(line)).join('');
  written.mockRestore();
  const [attempt] = await listAttempts(tables.database, key);
  if (!attempt) throw new Error('no attempt');
  return { ...made, key, attempt, logged, secret: (await made.endpoint()).signingSecret };
}

// Pages that show what a receiver answered have run its scripts, and logs have kept it; here it stays what it is, text in one row.
describe('what a receiver answers', () => {
  it('is kept as the text that it is, whatever it would be to a page, and is not logged', async () => {
    const hostile =
      '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>\r\n{"level":"ERROR"}\u0000\u001b[2J\u009b31m\u202e';
    const { attempt, logged, endpointId } = await anAttemptAnswered(500, () => hostile);
    expect(attempt).toMatchObject({ statusCode: 500, responseExcerpt: hostile, responseTruncated: false });
    expect(logged).toContain(endpointId);
    expect(
      logged
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { message: string }).message),
    ).toEqual(['webhook attempt']);
    for (const part of ['script', 'onerror', '\u001b', '\u009b', 'Zq-answer-header'])
      expect(logged).not.toContain(part);
  });

  it('holds no secret, even where it is all that it was sent', async () => {
    const { attempt, logged, secret, key } = await anAttemptAnswered(500, ({ headers, body }) => headers + body);
    expect(attempt.responseExcerpt).toContain(key.eventId);
    const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64');
    for (const form of [
      secret,
      secret.replace('whsec_', ''),
      bytes.toString('hex'),
      bytes.toString('latin1'),
      'Okafor',
      'Ada',
    ])
      expect(attempt.responseExcerpt).not.toContain(form);
    expect(logged).not.toContain('webhook-signature');
  });

  it('takes no more than 48 KiB of its row, also where each of its bytes is none of UTF-8 and becomes three', async () => {
    const { attempt, row, key } = await anAttemptAnswered(200, () => Buffer.alloc(1024 * 1024, 0xff));
    expect(attempt).toMatchObject({ statusCode: 200, responseTruncated: true });
    expect(attempt.responseExcerpt).toBe('\ufffd'.repeat(16_384));
    expect(Buffer.byteLength(JSON.stringify(attempt))).toBeLessThan(50 * 1024);
    expect(await row(key)).toMatchObject({ status: 'delivered' });
  });
});
