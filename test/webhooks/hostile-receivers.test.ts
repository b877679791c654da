import { execFile } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer, get } from 'node:https';
import { createServer as createSocketServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { nextStep } from '../../functions/domain/delivery.ts';
import { signatureHeaders } from '../../functions/domain/webhook-signature.ts';
import { exchange, postWebhook } from '../../functions/webhooks/post.ts';
import { elsewhereCertificate, expiredCertificate, soundCertificate, testKey } from './certificates.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

const serve = async (listener: RequestListener) => `http://127.0.0.1:${await listen(createServer(listener))}/hook`;

/** A server that speaks for itself, byte by byte, once a request has begun; counts its connections. */
async function speak(answer: (socket: Socket) => void) {
  const seen = { connections: 0 };
  const port = await listen(
    createSocketServer((socket) => {
      seen.connections += 1;
      socket.once('data', () => answer(socket));
    }),
  );
  return { url: `http://127.0.0.1:${port}/hook`, seen };
}

const post = (url: string, body = '{}', headers: Record<string, string> = {}) =>
  postWebhook({ url, body, headers }, true);
const networkError = { error: 'network_error', responseTruncated: false };

describe('a receiver that answers garbage', () => {
  // https://github.com/svix/svix-webhooks: its client sent a failed request again by itself, without a record (webhook_http_client.rs, execute_inner).
  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: x\r\n\r\n'],
    ['a line break in a header', 'HTTP/1.1 200 OK\r\na: b\rc\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a length below nothing', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n'],
    ['headers without end', `HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1000)}\r\n`.repeat(100)}`],
    ['half a status line', 'HTTP/1.1 20'],
    ['bytes that mean nothing', Buffer.from([0, 255, 254, 13, 10, 13, 10])],
    ['a switch of protocols', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['a status of nothing', 'HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n'],
    ['only a promise', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('gets one request, and with %s is a network error', async (_, bytes) => {
    const { url, seen } = await speak((socket) => socket.end(bytes));
    expect(await post(url)).toEqual(networkError);
    expect(seen.connections).toBe(1);
  });

  it.each([
    [
      'HTTP/1.0 without a length',
      'HTTP/1.0 200 OK\r\n\r\nfine',
      { statusCode: 200, responseExcerpt: 'fine', responseTruncated: false },
    ],
    [
      'no length',
      'HTTP/1.1 200 OK\r\n\r\nfine',
      { statusCode: 200, responseExcerpt: 'fine', responseTruncated: false },
    ],
    [
      'a promise first',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
      { statusCode: 204, responseExcerpt: '', responseTruncated: false },
    ],
    [
      'a status of its own',
      'HTTP/1.1 799 Odd\r\nContent-Length: 0\r\n\r\n',
      { statusCode: 799, responseExcerpt: '', responseTruncated: false },
    ],
    [
      'a chunk that is no chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n',
      { statusCode: 200, responseExcerpt: 'ok', responseTruncated: true },
    ],
    [
      'endless chunk extensions',
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(100_000)}`,
      { statusCode: 200, responseExcerpt: '', responseTruncated: true },
    ],
  ])('is understood with %s', async (_, bytes, expected) => {
    const { url } = await speak((socket) => socket.end(bytes));
    expect(await post(url)).toEqual(expected);
  });

  // https://github.com/hook0/hook0: the comment on `Response::headers` in its output worker; https://github.com/svix/svix-webhooks falls back to base64.
  it('may use bytes that are no UTF-8, in its body and in its headers', async () => {
    const head = 'HTTP/1.1 503 Nope\r\nRetry-After: \xff\xfe120\r\nX-Odd: caf\xe9\r\nContent-Length: 4\r\n\r\n';
    const { url } = await speak((socket) =>
      socket.end(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from([0xff, 0x61, 0xc3, 0x28])])),
    );
    const result = await post(url);
    expect(result).toMatchObject({ statusCode: 503, responseExcerpt: '\ufffda\ufffd(', responseTruncated: false });
    expect(nextStep(result, 1, 0, 0), 'its Retry-After says nothing').toEqual({
      status: 'pending',
      nextAttemptAt: 5000,
      byTicket: true,
    });
  });

  it('may answer and reset before it has read the request', async () => {
    const { url, seen } = await speak((socket) =>
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n', () => socket.resetAndDestroy()),
    );
    const result = await post(url, JSON.stringify('x'.repeat(5_000_000)));
    expect([413, 'network_error']).toContain(result.statusCode ?? result.error);
    expect(seen.connections).toBe(1);
  });
});

describe('a receiver that is slow', () => {
  // https://github.com/svix/svix-webhooks: its time-out covered the request, not the reading of the body.
  it('is given 15 seconds in all, whichever part of its answer drips', { timeout: 25_000 }, async () => {
    const drip = (first: string, again: string) =>
      speak((socket) => {
        socket.write(first);
        const timer = setInterval(() => socket.write(again), 100);
        socket.on('close', () => clearInterval(timer));
      });
    const dripping = await Promise.all([
      drip('HTTP/1.1 200 OK\r\n', 'x: y\r\n'),
      drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
      drip('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'),
      drip('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n', 'x: y\r\n'),
    ]);
    const startedAt = Date.now();
    const [headers, promises, body, trailers] = await Promise.all(dripping.map(({ url }) => post(url)));
    const taken = Date.now() - startedAt;
    for (const result of [headers, promises]) expect(result).toEqual({ error: 'timeout', responseTruncated: false });
    for (const result of [body, trailers]) expect(result).toMatchObject({ statusCode: 200, responseTruncated: true });
    expect(taken).toBeGreaterThan(14_500);
    expect(taken).toBeLessThan(17_500);
  });
});

describe('a receiver that sends a lot', () => {
  // https://github.com/hookdeck/outpost: regression_response_body_cap_test.go, an answer so big that its record could never be written;
  // https://github.com/svix/svix-webhooks and https://github.com/hook0/hook0 read the whole of it before they cut it.
  it('costs no memory: 1 GB, as it is or as a bomb of gzip', { timeout: 60_000 }, async () => {
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
    // Members of gzip may follow each other: ten of 100 MB are one of 1 GB.
    const member = gzipSync(Buffer.alloc(100 * 1024 * 1024));
    const bomb = Buffer.concat(Array.from({ length: 10 }, () => member));
    const gzipped = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));

    const probe = join(import.meta.dirname, 'memory-probe.ts');
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', probe, gigabyte, gzipped]);
    const { statuses, grown, peak } = JSON.parse(stdout) as { statuses: number[]; grown: number; peak: number };
    expect(statuses).toEqual([200]);
    expect(grown).toBeLessThan(50 * 1024 * 1024);
    expect(peak).toBeLessThan(50 * 1024 * 1024);
  });
});

describe('a receiver that cannot be trusted', () => {
  // https://github.com/svix/svix-webhooks can be told to skip the verification (test_tls_verification_disable); this sender cannot.
  // The guard lets https to this machine pass on port 443 only, which tests cannot bind, so the exchange behind it is asked.
  const ask = (port: number) =>
    exchange({ url: `https://127.0.0.1:${port}/hook`, body: '{}', headers: {} }, true, AbortSignal.timeout(5000));

  async function serveTls(cert: string) {
    const seen = { requests: 0 };
    const port = await listen(
      createTlsServer({ key: testKey, cert }, (_, response) => {
        seen.requests += 1;
        response.end();
      }),
    );
    return { port, seen };
  }

  function trust(certificate: string): void {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, certificate]);
    closing.push(() => setDefaultCACertificates(before));
  }

  it('gets no request where it signed its own certificate', async () => {
    const { port, seen } = await serveTls(soundCertificate);
    await expect(ask(port)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(seen.requests).toBe(0);
    // The server itself is sound.
    await new Promise((resolve, reject) =>
      get({ host: '127.0.0.1', port, ca: soundCertificate, agent: false }, resolve).on('error', reject),
    );
    expect(seen.requests).toBe(1);
  });

  it.each([
    ['is of another host', elsewhereCertificate, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['has expired', expiredCertificate, 'CERT_HAS_EXPIRED'],
  ])('gets no request where its certificate is trusted but %s', async (_, certificate, code) => {
    trust(certificate);
    const { port, seen } = await serveTls(certificate);
    await expect(ask(port)).rejects.toMatchObject({ code });
    expect(seen.requests).toBe(0);
  });

  it('gets its request where its certificate is trusted and its own', async () => {
    trust(soundCertificate);
    const { port } = await serveTls(soundCertificate);
    expect(await ask(port)).toMatchObject({ statusCode: 200 });
  });

  it('is tried again: that it speaks no TLS, or that its name is unknown, is a network error', async () => {
    const plain = await listen(createServer((_, response) => response.end()));
    await expect(ask(plain)).rejects.toMatchObject({ code: 'EPROTO' });
    // https://github.com/hookdeck/outpost/issues/314: DNS faults were not retried. A label of 64 characters is refused before anybody is asked.
    const unknown = await post(`https://${'a'.repeat(64)}.example/hook`);
    expect(unknown).toEqual(networkError);
    expect(nextStep(unknown, 1, 0, 0)).toMatchObject({ status: 'pending' });
  });
});

describe('what a receiver gets', () => {
  // https://github.com/frain-dev/convoy/issues/1223, https://github.com/frain-dev/convoy/issues/2392 and https://github.com/hookdeck/outpost/issues/718:
  // the bytes that were sent were not those that were signed.
  it('is byte for byte what was signed: escapes, order of keys, numbers and characters of four bytes', async () => {
    const body = '{"z":1.0,"a":"<b>&\\u003c\\/ \u2028 é 漢 😀","m":{"10":1,"9":2}, "big":12345678901234567890}';
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const seen = { body: Buffer.alloc(0), headers: {} as Record<string, string> };
    const url = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      seen.body = Buffer.concat(chunks);
      seen.headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      response.end();
    });
    await post(
      url,
      body,
      signatureHeaders({ eventId: 'evt_1', timestamp: Math.floor(Date.now() / 1000), body, secrets: [secret] }),
    );
    expect(seen.body.equals(Buffer.from(body))).toBe(true);
    expect(seen.headers['content-length']).toBe(String(Buffer.byteLength(body)));
    expect(() => new Webhook(secret).verify(seen.body, seen.headers)).not.toThrow();
  });

  // A socket kept over a frozen Lambda is dead when it thaws: its next request would fail, or be sent twice.
  it('comes over a connection of its own each time', async () => {
    const { url, seen } = await speak((socket) =>
      socket.write('HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n'),
    );
    for (let time = 0; time < 3; time += 1) expect(await post(url)).toMatchObject({ statusCode: 204 });
    expect(seen.connections).toBe(3);
  });
});
