import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listAttempts } from '../../functions/store/webhooks/delivery-log.ts';
import { postWebhook } from '../../functions/webhooks/post.ts';
import { startServer } from '../support/server.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';

const tables = await startTestTables();
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
