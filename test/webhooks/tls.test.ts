import { createServer as createHttpServer } from 'node:http';
import https from 'node:https';
import { Agent } from 'node:https';
import { createServer as createSocketServer, type Server } from 'node:net';
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TlsOptions,
} from 'node:tls';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { day, second } from '../../functions/domain/time.ts';
import type { AttemptError } from '../../functions/domain/webhooks/delivery.ts';
import { listAttempts } from '../../functions/store/webhooks/delivery-log.ts';
import { postWebhook } from '../../functions/webhooks/post.ts';
import { aCertificate, type Certificate } from '../support/certificates.ts';
import { fakeTimeouts } from '../support/virtual-time.ts';
import { startServer } from '../support/server.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';

const sound = aCertificate();
const authority = aCertificate({ isAuthority: true });
const intermediate = aCertificate({ isAuthority: true, issuer: authority });
const issued = aCertificate({ issuer: intermediate });
const elsewhere = aCertificate({ address: '192.0.2.7' });
const expired = aCertificate({ until: Date.now() - day });
const early = aCertificate({ from: Date.now() + day });
const signedByAnother = aCertificate({ issuer: { ...authority, privateKey: intermediate.privateKey } });

const rsaOnly = 'ECDHE-RSA-AES128-GCM-SHA256';

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

const answering =
  ({ pem, key }: Certificate, options: TlsOptions = {}) =>
  (seen: Seen) => {
    const server = createTlsServer({ key, cert: pem, ...options }, (socket) => {
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
  answering(sound, { minVersion: version, maxVersion: version, ciphers: 'DEFAULT:@SECLEVEL=0' });
const wantingOurCertificate = (version: 'TLSv1.2' | 'TLSv1.3') =>
  answering(sound, { requestCert: true, minVersion: version, maxVersion: version });
const resetting = () => createSocketServer((socket) => void socket.once('data', () => socket.resetAndDestroy()));
const hangingUp = () => createSocketServer((socket) => void socket.once('data', () => socket.end()));
const speakingHttp = () => createHttpServer((_, response) => void response.end());
const silent = () => createSocketServer((socket) => void socket.on('data', () => undefined));
const alerting = (alert: number) => () =>
  createSocketServer((socket) => void socket.once('data', () => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, alert]))));

function trust({ pem }: Certificate): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, pem]);
  onTestFinished(() => setDefaultCACertificates(before));
}

// https://github.com/svix/svix-webhooks can skip verification (test_tls_verification_disable).
describe('a receiver', () => {
  it.each<[string, (seen: Seen) => Server, Certificate | undefined, AttemptError]>([
    ['with a self-signed certificate', answering(sound), undefined, 'certificate_self_signed'],
    [
      'that sends the root of a private authority',
      answering({ ...issued, pem: issued.pem + intermediate.pem + authority.pem }),
      undefined,
      'certificate_self_signed',
    ],
    ['with a trusted certificate of another host', answering(elsewhere), elsewhere, 'certificate_wrong_name'],
    ['with a trusted certificate that has expired', answering(expired), expired, 'certificate_expired'],
    ['with a trusted certificate from tomorrow on', answering(early), early, 'certificate_not_yet_valid'],
    ['without the intermediate certificate', answering(issued), authority, 'certificate_chain_incomplete'],
    [
      'with the intermediate certificate of an unknown authority',
      answering({ ...issued, pem: issued.pem + intermediate.pem }),
      undefined,
      'certificate_chain_incomplete',
    ],
    ['with a certificate whose signature is wrong', answering(signedByAnother), authority, 'certificate_invalid'],
    ['that only speaks TLS 1.0', answeringOnly('TLSv1'), sound, 'tls_handshake_failed'],
    ['that only speaks TLS 1.1', answeringOnly('TLSv1.1'), sound, 'tls_handshake_failed'],
    [
      'without a common cipher',
      answering(sound, { maxVersion: 'TLSv1.2', ciphers: rsaOnly }),
      sound,
      'tls_handshake_failed',
    ],
    ['that does not know the host name', alerting(112), sound, 'tls_handshake_failed'],
    ['that speaks no TLS', speakingHttp, undefined, 'tls_handshake_failed'],
    ['that resets during the handshake', resetting, undefined, 'tls_handshake_failed'],
    ['that hangs up during the handshake', hangingUp, undefined, 'tls_handshake_failed'],
    ['that wants our certificate, in TLS 1.2', wantingOurCertificate('TLSv1.2'), sound, 'client_certificate_required'],
    ['that wants our certificate, in TLS 1.3', wantingOurCertificate('TLSv1.3'), sound, 'client_certificate_required'],
    ['that calls our certificate bad', alerting(42), sound, 'client_certificate_required'],
  ])('%s gets no request until it is repaired', async (_, makeServer, trusted, error) => {
    if (trusted !== undefined) trust(trusted);
    const { state, tools, event, attempt, row } = await anEndpoint(tables, { url });
    tools.post = (post) => postWebhook(post, true);
    const key = await event();
    const bad = await serve(makeServer);
    await attempt(key, 1);
    expect(bad).toMatchObject({ connections: 1, requests: 0 });
    expect(await row(key)).toMatchObject({ status: 'pending', attempts: 1 });
    const [made] = await listAttempts(tables.database, await row(key));
    expect(made).toMatchObject({ attemptNumber: 1, error, responseTruncated: false });
    expect(made).not.toHaveProperty('statusCode');
    expect(state.tickets).toMatchObject([{ body: { ...key, attemptNumber: 2 }, delay: 5000 }]);

    trust(sound);
    const repaired = await serve(answering(sound));
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
    expect(await posted).toEqual({ error: 'connection_timeout', responseTruncated: false });
  });

  it('that only speaks TLS 1.0 gets an alert that says why', async () => {
    const seen = await serve(answeringOnly('TLSv1'));
    await postWebhook({ url, body: '{}', headers: {} }, true);
    await expect.poll(() => seen.alerts).toEqual([expect.stringContaining('UNSUPPORTED_PROTOCOL')]);
  });
});
