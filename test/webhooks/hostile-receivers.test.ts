import { execFile } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nextStep } from '../../functions/domain/webhooks/delivery.ts';
import { second, toEpochSeconds } from '../../functions/domain/time.ts';
import { signatureHeaders } from '../../functions/domain/webhooks/webhook-signature.ts';
import { keptConnections, postWebhook, type PostResult } from '../../functions/webhooks/post.ts';
import { fakeTimeouts } from '../support/virtual-time.ts';
import { startServer } from '../support/server.ts';

const serve = async (listener: RequestListener) => `http://127.0.0.1:${await startServer(createServer(listener))}/hook`;

async function speak(answer: (socket: Socket) => void) {
  const seen = { connections: 0 };
  const port = await startServer(
    createSocketServer((socket) => {
      seen.connections += 1;
      socket.once('data', () => answer(socket));
    }),
  );
  return { url: `http://127.0.0.1:${port}/hook`, seen };
}

async function dribble(socket: Socket, bytes: string): Promise<void> {
  socket.setNoDelay();
  for (const byte of Buffer.from(bytes))
    if (socket.writable) await new Promise((sent) => socket.write(Buffer.of(byte), sent));
  socket.end();
}

const post = (url: string, body = '{}', headers: Record<string, string> = {}) =>
  postWebhook({ url, body, headers }, true);

describe('a malformed response', () => {
  const fine = { statusCode: 200, responseExcerpt: 'fine', responseTruncated: false };
  const withStatus = 'HTTP/1.1 200 OK\r\n';
  // https://github.com/svix/svix-webhooks: execute_inner (webhook_http_client.rs) resent requests without a record.
  it.each([
    ['with a header that has no name', `${withStatus}: x\r\n\r\n`],
    ['with a header that has no colon', `${withStatus}Warning in line 3\r\n\r\n`],
    ['with a space before a colon', `${withStatus}Server : x\r\n\r\n`],
    ['with a folded header', `${withStatus}Server: x\r\n y\r\n\r\nfine`],
    ['with line feeds alone', 'HTTP/1.1 200 OK\nServer: x\n\nfine'],
    ['with a line break in a header', `${withStatus}a: b\rc\r\n\r\n`],
    ['with a NUL in a header', `${withStatus}a: b\0c\r\n\r\n`],
    ['with two lengths', `${withStatus}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    ['with the same length twice', `${withStatus}Content-Length: 2\r\nContent-Length: 2\r\n\r\nab`],
    ['with a length and chunks', `${withStatus}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['with a negative length', `${withStatus}Content-Length: -1\r\n\r\n`],
    ['of another version', 'HTTP/1.2 200 OK\r\n\r\n'],
    ['of a version without a dot', 'HTTP/2 200\r\n\r\n'],
    ['with two spaces before the status', 'HTTP/1.1  200 OK\r\n\r\n'],
    ['after early hints', 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n: x\r\n\r\n'],
  ])('%s has a status all the same, after one request', async (_, bytes) => {
    const { url, seen } = await speak((socket) => socket.end(bytes));
    const expected = { statusCode: 200, error: 'unreadable_response', responseTruncated: true };
    expect(await post(url)).toEqual(expected);
    expect(seen.connections).toBe(1);
    const slow = await speak((socket) => dribble(socket, bytes));
    expect(await post(slow.url), 'in pieces').toEqual(expected);
  });

  it.each([
    ['that is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['of random bytes', Buffer.from([0, 255, 254, 13, 10, 13, 10]), '\0\ufffd\ufffd\r\n\r\n'],
    ['with a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n', 'HTTP/1.1 2000 OK\r\n\r\n'],
    ['with a page before it', '<br>HTTP/1.1 200 OK\r\n\r\n', '<br>HTTP/1.1 200 OK\r\n\r\n'],
    ['that is long, and not HTTP', 'x'.repeat(20_000), 'x'.repeat(16_384)],
    ['that switches protocols', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', undefined],
    [
      'that upgrades',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      undefined,
    ],
    ['with status 000', 'HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n', undefined],
  ])('%s is one that we cannot read, after one request', async (_, bytes, responseExcerpt) => {
    const { url, seen } = await speak((socket) => socket.end(bytes));
    const result = await post(url);
    expect(result).toMatchObject({ error: 'unreadable_response' });
    expect(result.responseExcerpt).toBe(responseExcerpt);
    expect(result).not.toHaveProperty('statusCode');
    expect(seen.connections).toBe(1);
  });

  it.each([
    ['in half a status line', 'HTTP/1.1 20'],
    ['after the status line', withStatus],
    ['in its headers', `${withStatus}${`x: ${'y'.repeat(1000)}\r\n`.repeat(100)}`],
    ['after 100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('that ends %s is a closed connection', async (_, bytes) => {
    const { url, seen } = await speak((socket) => socket.end(bytes));
    expect(await post(url)).toEqual({ error: 'connection_reset', responseTruncated: false });
    expect(seen.connections).toBe(1);
  });

  it.each([20, 60, 250])('may have a header of %i kB', async (size) => {
    const head = `${withStatus}Content-Length: 4\r\n${`X: ${'y'.repeat(994)}\r\n`.repeat(size)}\r\n`;
    const { url } = await speak((socket) => socket.end(`${head}fine`));
    expect(await post(url)).toEqual(fine);
  });

  it('with a larger header has a status and a reason of its own', async () => {
    const { url } = await speak((socket) => socket.end(`${withStatus}X: ${'y'.repeat(270_000)}\r\n\r\n`));
    expect(await post(url)).toEqual({ statusCode: 200, error: 'response_header_too_large', responseTruncated: true });
    const other = await speak((socket) => socket.end(`HTTP/1.1 503 ${'y'.repeat(270_000)}\r\n\r\n`));
    expect(await post(other.url)).toMatchObject({ statusCode: 503, error: 'response_header_too_large' });
  });

  it('on a kept connection has the status of its own, and the next request a new connection', async () => {
    const answers = [
      'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
      'HTTP/1.1 503 Nope\n\n',
      'HTTP/1.1 204 Fine\r\n\r\n',
    ];
    let connections = 0;
    const port = await startServer(
      createSocketServer((socket) => {
        connections += 1;
        socket.on('data', () => socket.write(answers.shift() ?? ''));
      }),
    );
    const kept = keptConnections();
    onTestFinished(() => kept.close());
    const send = () =>
      postWebhook({ url: `http://127.0.0.1:${port}/`, body: '{}', headers: {} }, true, { connections: kept });
    expect(await send()).toMatchObject({ statusCode: 200 });
    expect(await send()).toEqual({ statusCode: 503, error: 'unreadable_response', responseTruncated: true });
    expect(connections).toBe(1);
    expect(await send()).toMatchObject({ statusCode: 204 });
    expect(connections).toBe(2);
  });

  it.each<[string, string, PostResult]>([
    ['of HTTP/1.0 without a length', 'HTTP/1.0 200 OK\r\n\r\nfine', fine],
    ['of HTTP/1.1 without a length', 'HTTP/1.1 200 OK\r\n\r\nfine', fine],
    [
      'with 100 Continue first',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
      { statusCode: 204, responseExcerpt: '', responseTruncated: false },
    ],
    [
      'with status 799',
      'HTTP/1.1 799 Odd\r\nContent-Length: 0\r\n\r\n',
      { statusCode: 799, responseExcerpt: '', responseTruncated: false },
    ],
    [
      'with an invalid second chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n',
      { statusCode: 200, responseExcerpt: 'ok', responseTruncated: true },
    ],
    [
      'with an endless chunk extension',
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(100_000)}`,
      { statusCode: 200, responseExcerpt: '', responseTruncated: true },
    ],
  ])('%s is read as far as possible', async (_, bytes, expected) => {
    const { url } = await speak((socket) => socket.end(bytes));
    expect(await post(url)).toEqual(expected);
  });

  // https://github.com/hook0/hook0 (comment on `Response::headers` in its output worker)
  it('may have a body and headers that are not UTF-8', async () => {
    const head = 'HTTP/1.1 503 Nope\r\nRetry-After: \xff\xfe120\r\nX-Odd: caf\xe9\r\nContent-Length: 4\r\n\r\n';
    const { url } = await speak((socket) =>
      socket.end(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from([0xff, 0x61, 0xc3, 0x28])])),
    );
    const result = await post(url);
    expect(result).toMatchObject({ statusCode: 503, responseExcerpt: '\ufffda\ufffd(', responseTruncated: false });
    expect(nextStep(result, 1, 0, 0), 'its Retry-After is ignored').toEqual({
      status: 'pending',
      nextAttemptAt: 5000,
      byTicket: true,
    });
  });

  it('may arrive, with a reset, before the request is sent', async () => {
    const { url, seen } = await speak((socket) =>
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n', () => socket.resetAndDestroy()),
    );
    const result = await post(url, JSON.stringify('x'.repeat(5_000_000)));
    expect([413, 'connection_reset']).toContain(result.statusCode ?? result.error);
    expect(seen.connections).toBe(1);
  });
});

describe('a receiver that is slow', () => {
  // https://github.com/svix/svix-webhooks: its timeout did not cover the body.
  it('is cut off after 15 seconds, whichever part of its response drips', async () => {
    const { advance, until } = fakeTimeouts();
    const drip = async (first: string, again: string) => {
      const seen = { drips: 0 };
      const { url } = await speak((socket) => {
        socket.write(first);
        const timer = setInterval(() => socket.write(again, () => (seen.drips += 1)), 5);
        socket.on('close', () => clearInterval(timer));
      });
      return { url, seen };
    };
    const receivers = await Promise.all([
      drip('', ''),
      drip('HTTP/1.1 200 OK\r\n', 'x: y\r\n'),
      drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
      drip('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'),
      drip('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n', 'x: y\r\n'),
    ]);
    let ended = 0;
    const posts = Promise.all(receivers.map(({ url }) => post(url).finally(() => void (ended += 1))));
    const someDrips = () => {
      const goals = receivers.map(({ seen }) => seen.drips + 3);
      return until(() => ended > 0 || receivers.every(({ seen }, index) => seen.drips >= (goals[index] ?? 0)));
    };

    await someDrips();
    advance(15 * second - 1);
    await someDrips();
    expect(ended, 'a millisecond before').toBe(0);
    advance(1);
    const [none, headers, hints, body, trailers] = await posts;
    for (const result of [none, headers, hints]) expect(result).toEqual({ error: 'timeout', responseTruncated: false });
    for (const result of [body, trailers]) expect(result).toMatchObject({ statusCode: 200, responseTruncated: true });
  });
});

describe('a receiver that sends a lot', () => {
  // https://github.com/hookdeck/outpost (regression_response_body_cap_test.go); Svix and Hook0 read it all first.
  it('costs no memory: 1 GB, plain or as a gzip bomb', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    const gigabyte = await serve((_, response) => {
      let left = 1024;
      const more = () => {
        while (left > 0 && !response.destroyed) {
          left -= 1;
          if (!response.write(megabyte)) return;
        }
        response.end();
      };
      response.on('drain', more);
      more();
    });
    // Gzip members can be joined: 100 of 10 MB make 1 GB.
    const member = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    const bomb = Buffer.concat(Array.from({ length: 100 }, () => member));
    const gzipped = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));

    const probe = join(import.meta.dirname, 'memory-probe.ts');
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', probe, gigabyte, gzipped]);
    const { statuses, grown, peak } = JSON.parse(stdout) as { statuses: number[]; grown: number; peak: number };
    expect(statuses).toEqual([200]);
    expect(grown).toBeLessThan(50 * 1024 * 1024);
    expect(peak).toBeLessThan(50 * 1024 * 1024);
  });
});

it('a host name that cannot exist is not found, which is retried', async () => {
  // https://github.com/hookdeck/outpost/issues/314: DNS failures were not retried. A 64-character label fails locally.
  const unknown = await post(`https://${'a'.repeat(64)}.example/hook`);
  expect(unknown).toEqual({ error: 'host_not_found', responseTruncated: false });
  expect(nextStep(unknown, 1, 0, 0)).toMatchObject({ status: 'pending' });
});

describe('a request', () => {
  // https://github.com/frain-dev/convoy/issues/1223, https://github.com/frain-dev/convoy/issues/2392 and https://github.com/hookdeck/outpost/issues/718
  it('has exactly the signed bytes: escapes, key order, numbers and four-byte characters', async () => {
    const body = '{"z":1.0,"a":"<b>&\\u003c\\/ \u2028 é 漢 😀","m":{"10":1,"9":2}, "big":12345678901234567890}';
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const seen = { body: Buffer.alloc(0), headers: {} as Record<string, string> };
    const url = await serve(async (request, response) => {
      seen.body = await buffer(request);
      seen.headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      response.end();
    });
    const timestamp = toEpochSeconds(Date.now());
    await post(url, body, signatureHeaders({ eventId: 'evt_1', timestamp, body, secrets: [secret] }));
    expect(seen.body.equals(Buffer.from(body))).toBe(true);
    expect(seen.headers['content-length']).toBe(String(Buffer.byteLength(body)));
    expect(() => new Webhook(secret).verify(seen.body, seen.headers)).not.toThrow();
  });

  // A kept connection is dead when a frozen Lambda thaws.
  it('has a connection of its own, unless it comes with others of its batch', async () => {
    const { url, seen } = await speak((socket) =>
      socket.write('HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n'),
    );
    for (let time = 0; time < 3; time += 1) expect(await post(url)).toMatchObject({ statusCode: 204 });
    expect(seen.connections).toBe(3);
  });
});
