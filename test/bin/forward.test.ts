import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forward, requireLoopback } from '../../bin/practice/forward.ts';
import { verifyWebhook } from '../../web/client/index.ts';

const signingSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const event = { eventId: 'evt_1', body: JSON.stringify({ id: 'evt_1', type: 'webhook.test' }) };
const options = { signingSecret, signal: new AbortController().signal };

const received: unknown[] = [];
const server = createServer(async (request, response) => {
  received.push(verifyWebhook(await text(request), request.headers, signingSecret));
  response.writeHead(request.url === '/moved' ? 302 : 204, { location: 'https://example.com/' }).end();
});
let port: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

it.each(['127.0.0.1', 'localhost'])('forwards to %s a webhook that verifies', async (host) => {
  const sent = await forward(await requireLoopback(`http://${host}:${port}/`), event, options);
  expect(sent).toEqual({ statusCode: 204, durationMilliseconds: expect.any(Number) });
  expect(received.at(-1)).toEqual({ id: 'evt_1', type: 'webhook.test' });
});

it('does not follow a redirect, and says why there is no answer', async () => {
  expect(await forward(new URL(`http://127.0.0.1:${port}/moved`), event, options)).toMatchObject({
    statusCode: 302,
    redirectsTo: 'https://example.com/',
  });
  expect(await forward(new URL('http://127.0.0.1:1/'), event, options)).toMatchObject({ error: 'connection_refused' });
});

describe('--forward-to', () => {
  it.each(['127.0.0.1:3000', 'http://127.1.2.3/x', 'http://[::1]:3000/', 'http://0x7f.1/'])('takes %s', async (url) => {
    if (url.startsWith('http')) await expect(requireLoopback(url)).resolves.toBeInstanceOf(URL);
    else await expect(requireLoopback(url)).rejects.toThrow('--forward-to is wrong.');
  });

  it.each([
    ['http://192.168.0.7/', 'Events are forwarded only to this machine.'],
    ['http://0.0.0.0:3000/', 'Events are forwarded only to this machine.'],
    ['https://8.8.8.8/', 'Events are forwarded only to this machine.'],
    ['http://[::ffff:8.8.8.8]/', 'Events are forwarded only to this machine.'],
    ['http://[2001:db8::1]/', 'Events are forwarded only to this machine.'],
    ['ftp://127.0.0.1/', 'It must begin with http:// or https://.'],
    ['webhooks', 'It is not a URL.'],
  ])('refuses %s', async (url, message) => {
    await expect(requireLoopback(url)).rejects.toThrow(message);
  });
});
