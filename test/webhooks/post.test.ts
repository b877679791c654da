import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keptConnections, postWebhook } from '../../functions/webhooks/post.ts';
import { startServer } from '../support/server.ts';

const serve = async (listener: RequestListener) => `http://127.0.0.1:${await startServer(createServer(listener))}/hook`;

const post = (url: string, body = '{"a":"é <&>"}') =>
  postWebhook({ url, body, headers: { 'webhook-id': 'evt_1' } }, true);

describe('posting a webhook', () => {
  it('sends the body byte for byte, as JSON, with the given headers', async () => {
    let seen: unknown;
    const url = await serve(async (request, response) => {
      seen = {
        method: request.method,
        body: await text(request),
        type: request.headers['content-type'],
        id: request.headers['webhook-id'],
      };
      response.end('thanks');
    });
    expect(await post(url)).toEqual({ statusCode: 200, responseExcerpt: 'thanks', responseTruncated: false });
    expect(seen).toEqual({ method: 'POST', body: '{"a":"é <&>"}', type: 'application/json', id: 'evt_1' });
  });

  // https://github.com/AmoyLab/Unla/issues/305: a redirect bypassed the target check.
  it('does not follow a redirect', async () => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect(await post(url)).toMatchObject({ statusCode: 302 });
    expect(requests).toBe(1);
  });

  it('keeps 16 KiB of an endless response and hangs up', async () => {
    let hungUp = false;
    const url = await serve((_, response) => {
      const timer = setInterval(() => response.write(Buffer.alloc(4096, 'x')), 1);
      response.on('close', () => {
        hungUp = true;
        clearInterval(timer);
      });
    });
    const result = await post(url);
    expect(result).toMatchObject({ statusCode: 200, responseTruncated: true });
    expect(result.responseExcerpt).toHaveLength(16_384);
    await expect.poll(() => hungUp).toBe(true);
  });

  it('does not decompress a response', async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000))),
    );
    expect((await post(url)).responseExcerpt?.length).toBeLessThan(2000);
  });

  it('reports a refused or reset connection as a network error, after one try', async () => {
    let connections = 0;
    const url = await serve((request) => {
      connections += 1;
      request.socket.destroy();
    });
    expect(await post(url)).toEqual({ error: 'network_error', responseTruncated: false });
    expect(connections).toBe(1);
    expect(await post('http://127.0.0.1:1/hook')).toEqual({ error: 'network_error', responseTruncated: false });
  });

  it('reports Retry-After unchanged', async () => {
    const url = await serve((_, response) => response.writeHead(503, { 'retry-after': '120' }).end());
    expect(await post(url)).toMatchObject({ statusCode: 503, retryAfter: '120' });
  });

  // https://github.com/OneUptime/oneuptime/issues/2578: another notation of an address bypassed the check.
  it('never connects to a blocked address', async () => {
    expect(await post('http://169.254.169.254/latest/meta-data')).toEqual({
      error: 'blocked_address',
      responseTruncated: false,
    });
    expect(await postWebhook({ url: 'https://localhost/hook', body: '{}', headers: {} }, false)).toEqual({
      error: 'blocked_address',
      responseTruncated: false,
    });
  });

  it('reports a protocol switch as a network error', async () => {
    const url = await serve((request) =>
      request.socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
    );
    expect(await post(url)).toEqual({ error: 'network_error', responseTruncated: false });
  });

  it('reports the status of a response whose body breaks off', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.destroy());
    });
    expect(await post(url)).toEqual({ statusCode: 200, responseExcerpt: 'half', responseTruncated: true });
  });
});

describe('the requests of a batch to one endpoint', () => {
  function batch() {
    const connections = keptConnections();
    onTestFinished(() => connections.close());
    return (url: string) => postWebhook({ url, body: '{}', headers: {} }, true, { connections });
  }

  it('share a connection, which is closed with them', async () => {
    const sockets = new Set<Socket>();
    const url = await serve((request, response) => {
      sockets.add(request.socket);
      response.end('thanks');
    });
    const connections = keptConnections();
    for (let time = 0; time < 3; time += 1)
      expect(await postWebhook({ url, body: '{}', headers: {} }, true, { connections })).toMatchObject({
        statusCode: 200,
        responseExcerpt: 'thanks',
      });
    expect(sockets.size).toBe(1);
    connections.close();
    await expect.poll(() => [...sockets].every(({ destroyed }) => destroyed)).toBe(true);
  });

  it('open another one after a response that was cut off', async () => {
    const sockets = new Set<Socket>();
    const url = await serve((request, response) => {
      sockets.add(request.socket);
      response.end(Buffer.alloc(100_000, 'x'));
    });
    const send = batch();
    for (let time = 0; time < 2; time += 1)
      expect(await send(url)).toMatchObject({ statusCode: 200, responseTruncated: true });
    expect(sockets.size).toBe(2);
  });

  it('are sent again, once, if the server closes a kept connection', async () => {
    const seen: Socket[] = [];
    const url = await serve((request, response) => {
      seen.push(request.socket);
      if (seen.length === 1) response.end();
      else request.socket.destroy();
    });
    const send = batch();
    expect(await send(url)).toMatchObject({ statusCode: 200 });
    expect(await send(url)).toEqual({ error: 'network_error', responseTruncated: false });
    expect(seen).toHaveLength(3);
    expect(new Set(seen).size).toBe(2);
  });
});
