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

  it.each([
    [300, 'https://www.example.com/hook', 'https://www.example.com/hook'],
    [301, 'https://www.example.com/hook', 'https://www.example.com/hook'],
    [302, '/elsewhere', 'http://127.0.0.1:PORT/elsewhere'],
    [303, '//other.example/', 'http://other.example/'],
    [307, 'hook/', 'http://127.0.0.1:PORT/hook/'],
    [308, 'http://[', 'http://['],
    [308, `https://example.com/${'x'.repeat(9000)}`, `https://example.com/${'x'.repeat(480)}`],
    [301, undefined, undefined],
    [201, 'https://www.example.com/made', undefined],
    [400, 'https://www.example.com/error', undefined],
  ])('reports where a %i with the location %s leads', async (status, location, redirectsTo) => {
    const url = await serve((_, response) =>
      response.writeHead(status, location === undefined ? {} : { location }).end(),
    );
    const result = await post(url);
    expect(result.statusCode).toBe(status);
    expect(result.redirectsTo).toBe(redirectsTo?.replace('PORT', new URL(url).port));
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

  it('keeps the whole of a response of 16 KiB', async () => {
    const body = 'x'.repeat(16_384);
    const url = await serve((_, response) => response.end(body));
    expect(await post(url)).toEqual({ statusCode: 200, responseExcerpt: body, responseTruncated: false });
  });

  it('does not decompress a response', async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000))),
    );
    expect((await post(url)).responseExcerpt?.length).toBeLessThan(2000);
  });

  it('tells a refused connection from one that is reset or closed, after one try', async () => {
    expect(await post('http://127.0.0.1:1/hook')).toEqual({ error: 'connection_refused', responseTruncated: false });
    for (const end of [
      (socket: Socket) => socket.destroy(),
      (socket: Socket) => socket.resetAndDestroy(),
      (socket: Socket) => socket.end(),
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nServer: x'),
    ]) {
      let connections = 0;
      const url = await serve((request) => {
        connections += 1;
        end(request.socket);
      });
      expect(await post(url), String(end)).toEqual({ error: 'connection_reset', responseTruncated: false });
      expect(connections).toBe(1);
    }
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
    // It would close a connection itself after five seconds.
    const patient = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      sockets.add(request.socket);
      response.end('thanks');
    });
    const url = `http://127.0.0.1:${await startServer(patient)}/hook`;
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
    expect(await send(url)).toEqual({ error: 'connection_reset', responseTruncated: false });
    expect(seen).toHaveLength(3);
    expect(new Set(seen).size).toBe(2);
  });
});
