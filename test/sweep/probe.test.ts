import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import { expect, it, onTestFinished } from 'vitest';
import { probe } from '../../functions/sweep/probe.ts';
import { day } from '../../functions/domain/time.ts';
import { isOn, pointsIn } from '../support/alarms.ts';
import { deployedAssembly } from '../support/built.ts';
import { aCertificate } from '../support/certificates.ts';
import { loggedBy } from '../support/logged.ts';
import { startServer } from '../support/server.ts';

async function addressOf(server: Server | ReturnType<typeof createHttpServer>, scheme: string): Promise<string> {
  return `${scheme}://127.0.0.1:${await startServer(server, onTestFinished)}`;
}

const answering = (status: number) => createHttpServer((_request, response) => response.writeHead(status).end('body'));

it('counts the places that answer with another status, or not at all, and names each', async () => {
  const [fine, broken] = await Promise.all([addressOf(answering(200), 'http'), addressOf(answering(503), 'http')]);
  const lines = await loggedBy(() =>
    probe(
      [
        { name: 'page', url: fine, status: 200 },
        { name: 'patient_api', url: fine, status: 404 },
        { name: 'api', url: broken, status: 200 },
        { name: 'docs', url: 'http://127.0.0.1:1/', status: 200 },
      ],
      Date.now(),
    ),
  );
  expect(lines.slice(0, -1)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ message: 'probe failed', place: 'patient_api', status: 200 }),
      expect.objectContaining({ message: 'probe failed', place: 'api', status: 503 }),
      expect.objectContaining({ message: 'probe failed', place: 'docs', error: 'ECONNREFUSED' }),
    ]),
  );
  expect(lines.at(-1)).toMatchObject({ message: 'probed', FailedProbes: 3, ExpiringCertificates: 0 });
});

it.each([
  [31, 0],
  [29, 1],
])('a certificate that ends in %i days counts as %i that expire', async (days, ExpiringCertificates) => {
  const authority = aCertificate({ isAuthority: true });
  const now = Date.now();
  const { pem: cert, key } = aCertificate({ issuer: authority, until: now + days * day });
  const url = await addressOf(
    createServer({ cert, key }, (_request, response) => response.end('body')),
    'https',
  );
  const place = { name: 'page', url, status: 200 } as const;
  const lines = await loggedBy(() => probe([place], now, { ca: authority.pem }));
  expect(lines.at(-1)).toMatchObject({ FailedProbes: 0, ExpiringCertificates });
  const { template } = await deployedAssembly('production');
  const points = pointsIn(lines.map((line) => JSON.stringify(line)));
  expect(isOn(template, 'ExpiringCertificates', points)).toBe(ExpiringCertificates > 0);
});

it('a certificate that nobody trusts is a place that does not answer', async () => {
  const { pem: cert, key } = aCertificate();
  const url = await addressOf(
    createServer({ cert, key }, (_request, response) => response.end('body')),
    'https',
  );
  const lines = await loggedBy(() => probe([{ name: 'page', url, status: 200 }], Date.now()));
  expect(lines.at(-1)).toMatchObject({ FailedProbes: 1 });
});
