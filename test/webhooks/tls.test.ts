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
import { second } from '../../functions/domain/time.ts';
import { listAttempts } from '../../functions/store/webhooks/delivery-log.ts';
import { exchange, postWebhook } from '../../functions/webhooks/post.ts';
import { fakeTimeouts } from '../support/virtual-time.ts';
import { startServer } from '../support/server.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';

const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgcrdvitylmLnMOnPL
EVkZ3RSDpsALMTGmfTOHAqMHLUKhRANCAATHrNRt5Bw6selRU0ZoYDfWkl+bN/5+
APftKyB16vAYhQZZtLAGiZVhYl434Eh009D9/n30XpxpAQw8OeXxwfFF
-----END PRIVATE KEY-----
`;

const soundCertificate = `-----BEGIN CERTIFICATE-----
MIIBUTCB+qADAgECAgEBMAoGCCqGSM49BAMCMBAxDjAMBgNVBAMMBXNvdW5kMCAX
DTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAQMQ4wDAYDVQQDDAVzb3Vu
ZDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMes1G3kHDqx6VFTRmhgN9aSX5s3
/n4A9+0rIHXq8BiFBlm0sAaJlWFiXjfgSHTT0P3+ffRenGkBDDw55fHB8UWjQzBB
MA8GA1UdEwEB/wQFMAMBAf8wDwYDVR0RBAgwBocEfwAAATAdBgNVHQ4EFgQU1Xrh
DA2R7u0wBwAnFy2UooNb3mowCgYIKoZIzj0EAwIDRgAwQwIfNR/SbJxOnq7+fogO
DDWZZwAUJrkmBu0QZYSKn2eW6wIgIltD2Xl07sxX8PUjNl8haLxbLkRj0w4l+96r
Fn38VKo=
-----END CERTIFICATE-----
`;

const elsewhereCertificate = `-----BEGIN CERTIFICATE-----
MIIBaTCCAQ+gAwIBAgIBAjAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAllbHNld2hl
cmUwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWVsc2V3aGVyZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMes1G3kHDqx6VFT
RmhgN9aSX5s3/n4A9+0rIHXq8BiFBlm0sAaJlWFiXjfgSHTT0P3+ffRenGkBDDw5
5fHB8UWjUDBOMA8GA1UdEwEB/wQFMAMBAf8wHAYDVR0RBBUwE4IRaG9va3MuZXhh
bXBsZS5jb20wHQYDVR0OBBYEFNV64QwNke7tMAcAJxctlKKDW95qMAoGCCqGSM49
BAMCA0gAMEUCIDhDDd0c7JLN6iJ2nDW4bejc2MwE6XUlBeAPPdgOAm5uAiEAi+T6
8dkhXsz6yt/NeWDhgIF60n7EzHj07ptYjqCz14w=
-----END CERTIFICATE-----
`;

const expiredCertificate = `-----BEGIN CERTIFICATE-----
MIIBVTCB/KADAgECAgEDMAoGCCqGSM49BAMCMBIxEDAOBgNVBAMMB2V4cGlyZWQw
HhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjASMRAwDgYDVQQDDAdleHBp
cmVkMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEx6zUbeQcOrHpUVNGaGA31pJf
mzf+fgD37SsgderwGIUGWbSwBomVYWJeN+BIdNPQ/f599F6caQEMPDnl8cHxRaND
MEEwDwYDVR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMB0GA1UdDgQWBBTV
euEMDZHu7TAHACcXLZSig1veajAKBggqhkjOPQQDAgNIADBFAiEApKZmbZjnNI42
cIfEyO8QwA7EbjWvjlmvapJSteRLnl0CIErzucfSoI0h2N6nT/s97Ltzl79etJRO
kzVVAZ6qPXhN
-----END CERTIFICATE-----
`;

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
