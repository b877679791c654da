import { connect } from 'node:net';
import * as fc from 'fast-check';
import { anyCharacter, marker } from '../support/hostile-requests.ts';

const line = fc.constantFrom(
  'GET /api/practice HTTP/1.1',
  'POST /api/practice/sessions HTTP/1.1',
  'POST /api/patient/session/payment HTTP/1.1',
  'GET /api/dashboard/me HTTP/1.1',
  `GET /${marker} HTTP/1.1`,
  'GET / HTTP/1.0',
  'GET /',
  `${marker.toUpperCase()} / HTTP/1.1`,
  'GET  /  HTTP/1.1',
  'GET / HTTP/9.9',
  `GET http://${marker}.example/ HTTP/1.1`,
  'CONNECT 127.0.0.1:1 HTTP/1.1',
  'PRI * HTTP/2.0',
  `GET /${'a'.repeat(20_000)} HTTP/1.1`,
  'OPTIONS * HTTP/1.1',
);
const header = fc.constantFrom(
  'Host: 127.0.0.1',
  `Host: ${marker}.example`,
  'Content-Type: application/json',
  'Content-Length: 5',
  'Content-Length: 6',
  'Content-Length: -1',
  'Content-Length: 1e3',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding : chunked',
  'Expect: 100-continue',
  `Expect: ${marker}`,
  'Connection: close',
  'Connection: Upgrade\r\nUpgrade: websocket',
  `Authorization: Bearer ${marker}\0`,
  `X-${marker}: ${'y'.repeat(20_000)}`,
  `X-${marker}:\u0001`,
  ` folded ${marker}`,
  `${marker}`,
  `Cookie: ${'a=b; '.repeat(500)}`,
);
const body = fc.oneof(
  fc.constantFrom(
    '',
    '{}',
    '[[[[[',
    '5\r\n{"a":\r\n0\r\n\r\n',
    'ffffffffffff\r\n',
    `5;${marker}\r\nhello\r\n0\r\n\r\n`,
    '0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
  ),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
);

/** Bytes that no HTTP client sends. */
export const rawRequests: fc.Arbitrary<Buffer> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(line, fc.array(header, { maxLength: 6 }), body, fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r'))
      .map(([first, headers, rest, end]) => Buffer.from([first, ...headers, '', rest].join(end), 'latin1')),
  },
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
);

/** Returns what came back until the connection ended. Undefined if it never did. Rejects if there was no connection. */
export function sendBytes(origin: string, bytes: Buffer, patience: number): Promise<string | undefined> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    let received = '';
    let isConnected = false;
    const socket = connect({ host: hostname, port: Number(port) });
    const timer = setTimeout(() => {
      resolve(undefined);
      socket.destroy();
    }, patience);
    socket.once('connect', () => (isConnected = true));
    // Once it is connected, a reset is an end, too.
    socket.on('error', (error) => isConnected || reject(error));
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(received);
    });
    socket.end(bytes);
  });
}

export function rawFaultsOf(received: string | undefined): string[] {
  if (received === undefined) return ['hangs'];
  const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
  return [
    ...statuses.filter((status) => status >= 500).map((status) => `answered ${status}`),
    ...(received.toLowerCase().includes(marker) ? ['repeats what was sent'] : []),
  ];
}
