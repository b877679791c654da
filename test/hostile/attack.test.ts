import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startServer } from '../support/server.ts';
import { attack } from './attack.ts';

const target = {
  name: 'apiUrl createSession',
  method: 'POST',
  path: '/api/practice/sessions',
  body: { invoiceId: 'INV-1' },
  caller: 'practice',
  host: 'apiUrl',
} as const;
const batch = 50;

/** Attacks a service that the first requests overload, and later ones too if it stays busy. */
async function attackBusy({ staysBusy }: { staysBusy: boolean }) {
  const seen = { busy: 0, others: 0, atOnce: 0, mostAtOnceLater: 0 };
  const server = createServer(async (request, response) => {
    seen.atOnce += 1;
    response.once('finish', () => (seen.atOnce -= 1));
    await text(request).catch(() => '');
    // Requests sent at the same time arrive in the meantime.
    for (let turn = 0; turn < batch; turn += 1) await setImmediate();
    const isFirst = seen.busy + seen.others < batch;
    if (!isFirst) seen.mostAtOnceLater = Math.max(seen.mostAtOnceLater, seen.atOnce);
    // The answer to HEAD has no body that could say why.
    const isBusy = request.method !== 'HEAD' && (isFirst || staysBusy);
    if (isFirst && isBusy) seen.busy += 1;
    else seen.others += 1;
    const [status, code] = isBusy ? [503, 'temporarily_unavailable'] : [404, 'session_not_found'];
    response.writeHead(status, { 'content-type': 'application/problem+json', 'request-id': 'request-1' });
    response.end(JSON.stringify({ code, status, requestId: 'request-1' }));
  });
  const url = `http://127.0.0.1:${await startServer(server)}`;
  const words = { SESSION_ID: 's', CREDENTIAL: 'c', OTHER_CREDENTIAL: 'o', AUTHORIZATION_ID: 'a', PASSWORD: 'p' };
  const told: string[] = [];
  const attacked = {
    urls: { apiUrl: url, hostedUrl: url, dashboardUrl: url },
    webhookSecret: 's',
    victimOf: async () => words,
  };
  const settings = { stage: 'sandbox', targets: [target], withRaw: false, requests: batch, seed: 1 } as const;
  const done = await attack(attacked, { ...settings, log: (line) => told.push(line) });
  return { ...done, seen, told };
}

it('resends, one at a time, what an overloaded service did not answer', async () => {
  const { faults, figures, seen, told } = await attackBusy({ staysBusy: false });
  expect(told.filter((line) => line.includes('batch'))).toEqual([]);
  expect({ faults, overloaded: figures.overloaded }).toEqual({ faults: 0, overloaded: seen.busy });
  expect(seen.busy).toBeGreaterThan(batch / 2);
  expect(seen.others).toBe(batch);
  expect(seen.mostAtOnceLater).toBe(1);
});

it('counts it as a fault if even a single request overloads the service', async () => {
  const { faults, seen, told } = await attackBusy({ staysBusy: true });
  expect(faults).toBe(seen.busy);
  expect(told[0]).toContain('apiUrl createSession, batch');
  expect(told[0]).toContain('answered 503');
});
