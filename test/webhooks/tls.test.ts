import { randomBytes } from 'node:crypto';
import https, { Agent } from 'node:https';
import { createServer as createSocketServer, type AddressInfo, type Server, type Socket } from 'node:net';
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TlsOptions,
} from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { sessionEventId } from '../../functions/domain/event.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { generateSigningSecret } from '../../functions/domain/webhook-signature.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import { createDelivery, getDelivery } from '../../functions/store/deliveries.ts';
import { listAttempts } from '../../functions/store/delivery-log.ts';
import { insertSession } from '../../functions/store/sessions.ts';
import { writeExpiry } from '../../functions/store/transitions.ts';
import { createWebhookEndpoint } from '../../functions/store/webhook-endpoints.ts';
import { deliver, type DeliveryTools } from '../../functions/webhooks/deliver.ts';
import { postWebhook } from '../../functions/webhooks/post.ts';
import { aSession } from '../support/examples.ts';
import { startTestTables } from '../support/test-tables.ts';
import { elsewhereCertificate, expiredCertificate, soundCertificate, testKey } from './certificates.ts';

// Webhooks leave by port 443 alone, which a test cannot bind. The port of a URL that names none is the global agent's to say, so that
// all of the sender can be asked, its guard included, about `https://127.0.0.1/`.
const globalAgent = https.globalAgent;
function leadPort443To(port: number): void {
  https.globalAgent = new (class extends Agent {
    readonly defaultPort = port;
  })();
}

const tables = await startTestTables();

const closing: (() => void)[] = [];
afterEach(() => {
  https.globalAgent = globalAgent;
  for (const close of closing.splice(0)) close();
});

/** A server behind port 443; counts its connections, its requests and the alerts that it was sent, by their codes. */
async function serve(makeServer: (seen: Seen) => Server): Promise<Seen> {
  const seen: Seen = { connections: 0, requests: 0, alerts: [] };
  const sockets = new Set<Socket>();
  const server = makeServer(seen).on('connection', (socket: Socket) => {
    seen.connections += 1;
    sockets.add(socket.on('error', () => undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  leadPort443To((server.address() as AddressInfo).port);
  return seen;
}
interface Seen {
  connections: number;
  requests: number;
  readonly alerts: string[];
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

/** Takes the connection and says no word of TLS. */
const silent = () => createSocketServer((socket) => void socket.on('data', () => undefined));

/** Sends a first flight of TLS and resets. */
const breakingOff = () => createSocketServer((socket) => void socket.once('data', () => socket.resetAndDestroy()));

function trust(certificate: string): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, certificate]);
  closing.push(() => setDefaultCACertificates(before));
}

/** An event due to an endpoint at `https://127.0.0.1/`, sent as it is in a stage that allows loopback. */
async function aDelivery() {
  const startedAt = Date.now();
  const [practiceId, endpointId] = [`prc_${ulid(startedAt, randomBytes)}`, `whe_${ulid(startedAt, randomBytes)}`];
  const session = aSession({
    sessionId: `ses_${ulid(startedAt, randomBytes)}`,
    practiceId,
    expiresAt: new Date(startedAt).toISOString(),
  });
  await insertSession(tables.database, session, undefined, startedAt);
  await writeExpiry(tables.database, session);
  const key = { eventId: sessionEventId(session.sessionId, 1), endpointId };
  await createWebhookEndpoint(tables.database, {
    practiceId,
    endpointId,
    url: 'https://127.0.0.1/',
    status: 'enabled',
    signingSecret: generateSigningSecret(randomBytes),
    createdAt: session.createdAt,
  });
  await createDelivery(
    tables.database,
    { eventId: key.eventId, practiceId, type: 'session.payment.cancelled' },
    { endpointId, enabled: true },
    startedAt,
  );
  const tickets: Ticket[] = [];
  const tools: DeliveryTools = {
    full: new Map(),
    database: tables.database,
    clock: Date.now,
    random: () => 0,
    tellOwner: async () => undefined,
    sendDeliveries: async (sent) => void tickets.push(...sent),
    post: (post) => postWebhook(post, true),
  };
  return {
    tickets,
    attempt: (attemptNumber: number) => deliver(tools, { ...key, attemptNumber }),
    row: () => getDelivery(tables.database, key),
    made: () => listAttempts(tables.database, key),
    key,
  };
}

// https://github.com/svix/svix-webhooks can be told to skip the verification (test_tls_verification_disable); this sender cannot.
describe('a receiver whose TLS does not hold', () => {
  it.each([
    ['signed its own certificate', answering({ cert: soundCertificate }), [], 'network_error'],
    [
      'has a trusted certificate of another host',
      answering({ cert: elsewhereCertificate }),
      [elsewhereCertificate],
      'network_error',
    ],
    [
      'has a trusted certificate that has expired',
      answering({ cert: expiredCertificate }),
      [expiredCertificate],
      'network_error',
    ],
    [
      'speaks TLS 1.0 only',
      answering({ cert: soundCertificate, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' }),
      [soundCertificate],
      'network_error',
    ],
    [
      'speaks TLS 1.1 only',
      answering({
        cert: soundCertificate,
        minVersion: 'TLSv1.1',
        maxVersion: 'TLSv1.1',
        ciphers: 'DEFAULT:@SECLEVEL=0',
      }),
      [soundCertificate],
      'network_error',
    ],
    ['resets in the middle of the handshake', breakingOff, [], 'network_error'],
    ['never answers the handshake', silent, [], 'timeout'],
  ] as const)(
    'gets no request where it %s: the attempt failed, is recorded, and comes again',
    async (_, makeServer, trusted, error) => {
      for (const certificate of trusted) trust(certificate);
      const delivery = await aDelivery();
      const bad = await serve(makeServer);
      await delivery.attempt(1);
      expect(bad).toMatchObject({ connections: 1, requests: 0 });
      expect(await delivery.row()).toMatchObject({ status: 'pending', attempts: 1 });
      const [made] = await delivery.made();
      expect(made).toMatchObject({ attemptNumber: 1, error, responseTruncated: false });
      expect(made).not.toHaveProperty('statusCode');
      expect(delivery.tickets).toEqual([
        { body: { ...delivery.key, attemptNumber: 2 }, delay: 5000, groupId: delivery.key.endpointId },
      ]);
      // A connection is given five seconds, its handshake included, and not all fifteen.
      expect(made?.durationMilliseconds).toBeLessThan(7000);
      if (error === 'timeout') expect(made?.durationMilliseconds).toBeGreaterThanOrEqual(4900);

      // Once it is repaired, the next attempt arrives.
      trust(soundCertificate);
      const repaired = await serve(answering({ cert: soundCertificate }));
      await delivery.attempt(2);
      expect(repaired).toMatchObject({ connections: 1, requests: 1, alerts: [] });
      expect(await delivery.row()).toMatchObject({ status: 'delivered', attempts: 2 });
    },
  );

  it('is told why: by an alert that names the fault', async () => {
    const delivery = await aDelivery();
    const seen = await serve(
      answering({ cert: soundCertificate, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' }),
    );
    await delivery.attempt(1);
    await expect.poll(() => seen.alerts).toEqual([expect.stringContaining('UNSUPPORTED_PROTOCOL')]);
  });
});
