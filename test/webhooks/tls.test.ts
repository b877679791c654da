import { createServer as createHttpServer } from 'node:http';
import https, { Agent } from 'node:https';
import { createServer as createSocketServer, type Server } from 'node:net';
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TlsOptions,
} from 'node:tls';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { second } from '../../functions/domain/time.ts';
import { listAttempts } from '../../functions/store/webhooks/delivery-log.ts';
import { exchange, postWebhook } from '../../functions/webhooks/post.ts';
import { fakeTimeouts } from '../support/fake-timeouts.ts';
import { startServer } from '../support/server.ts';
import { startTestTables } from '../support/test-tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';
import { elsewhereCertificate, expiredCertificate, soundCertificate, testKey } from './certificates.ts';

const tables = await startTestTables();

// Tests cannot bind port 443; the global agent redirects this URL.
const url = 'https://127.0.0.1/';
const { globalAgent } = https;
function redirectPort443(port: number): void {
  https.globalAgent = new (class extends Agent {
    readonly defaultPort = port;
  })();
}
afterEach(() => void (https.globalAgent = globalAgent));

interface Seen {
  connections: number;
  requests: number;
  readonly alerts: string[];
}

async function serve(makeServer: (seen: Seen) => Server): Promise<Seen> {
  const seen: Seen = { connections: 0, requests: 0, alerts: [] };
  const server = makeServer(seen).on('connection', () => (seen.connections += 1));
  redirectPort443(await startServer(server));
  return seen;
}

const answering = (options: TlsOptions) => (seen: Seen) => {
  const server = createTlsServer({ key: testKey, ...options }, (socket) => {
    socket
      .on('error', () => undefined)
      .once('data', () => {
        seen.requests += 1;
        socket.end('HTTP/1.1 204 No Content\r\n\r\n');
      });
  });
  return server.on('tlsClientError', (error: NodeJS.ErrnoException) => void seen.alerts.push(error.code ?? ''));
};
const answeringOnly = (version: 'TLSv1' | 'TLSv1.1') =>
  answering({ cert: soundCertificate, minVersion: version, maxVersion: version, ciphers: 'DEFAULT:@SECLEVEL=0' });
const resetting = () => createSocketServer((socket) => void socket.once('data', () => socket.resetAndDestroy()));
const speakingHttp = () => createHttpServer((_, response) => void response.end());
const silent = () => createSocketServer((socket) => void socket.on('data', () => undefined));

function trust(certificate: string): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, certificate]);
  onTestFinished(() => setDefaultCACertificates(before));
}

// https://github.com/svix/svix-webhooks can skip verification (test_tls_verification_disable).
describe('a receiver', () => {
  it.each<[string, (seen: Seen) => Server, string | undefined, string]>([
    ['with a self-signed certificate', answering({ cert: soundCertificate }), undefined, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    [
      'with a trusted certificate of another host',
      answering({ cert: elsewhereCertificate }),
      elsewhereCertificate,
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ],
    [
      'with a trusted certificate that has expired',
      answering({ cert: expiredCertificate }),
      expiredCertificate,
      'CERT_HAS_EXPIRED',
    ],
    ['that only speaks TLS 1.0', answeringOnly('TLSv1'), soundCertificate, 'EPROTO'],
    ['that only speaks TLS 1.1', answeringOnly('TLSv1.1'), soundCertificate, 'EPROTO'],
    ['that speaks no TLS', speakingHttp, undefined, 'EPROTO'],
    ['that resets during the handshake', resetting, undefined, 'ECONNRESET'],
  ])('%s gets no request until it is repaired', async (_, makeServer, trusted, code) => {
    if (trusted !== undefined) trust(trusted);
    const { state, tools, event, attempt, row } = await anEndpoint(tables, { url });
    tools.post = (post) => postWebhook(post, true);
    const key = await event();
    const bad = await serve(makeServer);
    await attempt(key, 1);
    expect(bad).toMatchObject({ connections: 1, requests: 0 });
    expect(await row(key)).toMatchObject({ status: 'pending', attempts: 1 });
    const [made] = await listAttempts(tables.database, await row(key));
    expect(made).toMatchObject({ attemptNumber: 1, error: 'network_error', responseTruncated: false });
    expect(made).not.toHaveProperty('statusCode');
    expect(state.tickets).toMatchObject([{ body: { ...key, attemptNumber: 2 }, delay: 5000 }]);
    await expect(exchange({ url, body: '{}', headers: {} }, true, new AbortController().signal)).rejects.toMatchObject({
      code,
    });

    trust(soundCertificate);
    const repaired = await serve(answering({ cert: soundCertificate }));
    state.now += 5 * second;
    await attempt(key, 2);
    expect(repaired).toMatchObject({ connections: 1, requests: 1, alerts: [] });
    expect(await row(key)).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  it('that never answers the handshake times out after five seconds', async () => {
    const { advance, until } = fakeTimeouts();
    const seen = await serve(silent);
    let ended = false;
    const posted = postWebhook({ url, body: '{}', headers: {} }, true).finally(() => void (ended = true));
    await until(() => seen.connections === 1);
    advance(5 * second - 1);
    await serve(resetting);
    await postWebhook({ url, body: '{}', headers: {} }, true);
    expect(ended).toBe(false);
    advance(1);
    expect(await posted).toEqual({ error: 'timeout', responseTruncated: false });
  });

  it('that only speaks TLS 1.0 gets an alert that says why', async () => {
    const seen = await serve(answeringOnly('TLSv1'));
    await postWebhook({ url, body: '{}', headers: {} }, true);
    await expect.poll(() => seen.alerts).toEqual([expect.stringContaining('UNSUPPORTED_PROTOCOL')]);
  });
});
