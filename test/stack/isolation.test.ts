import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { rotateSecret } from '../../functions/webhooks/signing-secrets.ts';
import { listKeys, revokeKey, rotateKey } from '../../functions/practices/keys.ts';
import { author, createPractice } from '../support/create-practice.ts';
import { patientRoutes, practiceRoutes } from '../../functions/contract/routes.ts';
import { sessionToken, ulid } from '../../functions/domain/identifier.ts';
import { cursorAfter } from '../../functions/domain/cursor.ts';
import {
  sendHttp,
  originSecretsOf,
  pagesApiUrlOf,
  throughDistribution,
  type HttpAnswer,
} from '../support/http-request.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { addKey } from '../../functions/practices/keys.ts';
import { practiceScopes } from '../../functions/domain/practices/api-key.ts';
import { onStack } from '../support/on-stack.ts';
import { readTables, waitUntilIdle } from '../support/table-contents.ts';

let service: TestPractice;
let stranger: { practiceId: string; apiKey: string; first: string };
let sessions: { pending: string; processing: string; cancelled: string };
let pendingUrl: string;
const neverWas = `ses_${ulid(Date.now(), randomBytes)}`;

const newPractice = (name: string) => createPractice(service.operated, { author, name }, Date.now());

onStack.beforeAll(async ({ own }) => {
  service = own;
  const { practiceId, apiKey: first } = await newPractice('Strange Practice');
  // A key lacks some scopes by default.
  const { apiKey } = await addKey(
    service.operated,
    { practiceId, name: 'all', scopes: [...practiceScopes], author },
    Date.now(),
  );
  stranger = { practiceId, apiKey, first };
  await ask('GET', '/api/practice/sessions', stranger.apiKey);

  const [pending, paying, ended] = await Promise.all([
    service.createSession({ invoiceId: 'INV-1' }),
    service.pay('user_stuck'),
    service.createSession(),
  ]);
  await service.client.sessions.cancel(ended.sessionId);
  await waitUntilIdle(service.stack, service.practice.practiceId);
  sessions = { pending: pending.sessionId, processing: paying.sessionId, cancelled: ended.sessionId };
  pendingUrl = pending.hostedUrl;
});

/** The rows of both practices. */
const rows = () => readTables(service.stack, service.practice.practiceId, stranger.practiceId);

async function ask(
  method: string,
  target: string,
  credential: string,
  body = '',
  headers: readonly (readonly [string, string])[] = [],
): Promise<HttpAnswer> {
  const isPatients = target.startsWith('/api/patient');
  const through: Readonly<Record<string, string>> = isPatients
    ? throughDistribution((await originSecretsOf(service.stack))[0])
    : {};
  return sendHttp(isPatients ? pagesApiUrlOf(service.stack) : service.apiUrl, {
    method,
    target,
    headers: [
      ['authorization', `Bearer ${credential}`],
      ['content-type', 'application/json'],
      ...Object.entries(through),
      ...headers,
    ],
    body: Buffer.from(body),
  });
}

/** Leaves out request IDs, the date and the rest of the limit, which always differ. */
function comparable({ status, headers, body }: HttpAnswer): string {
  const { date: _, 'apigw-requestid': __, ratelimit: ___, 'request-id': requestId = '', ...rest } = headers;
  return JSON.stringify({ status, headers: rest, body: body.replace(requestId, 'REQUEST') });
}

const aBody = JSON.stringify({
  invoiceId: 'INV-1',
  amountCents: 100,
  patient: { firstName: 'Ada', lastName: 'Okafor' },
});
const routesOfOneSession = Object.entries(practiceRoutes).filter(([, { path }]) => path.includes('{sessionId}'));
/** Routes of endpoints are tested in `webhook-endpoints.test.ts`, and those of payouts in `live-reconciliation.test.ts`. */
const routesOfNoSession = Object.entries(practiceRoutes).filter(
  ([, { path }]) => !path.includes('{sessionId}') && !path.includes('webhook-endpoints') && !path.includes('payouts'),
);

describe("another practice's key", () => {
  it('gets the same answer from a route for a session in any state as for one that never existed', async () => {
    const before = await rows();
    for (const [name, { method, path }] of routesOfOneSession) {
      const answerFor = async (sessionId: string) =>
        comparable(await ask(method, path.replace('{sessionId}', sessionId), stranger.apiKey));
      const expected = await answerFor(neverWas);
      expect(expected, name).toContain('session_not_found');
      for (const sessionId of Object.values(sessions)) expect(await answerFor(sessionId), name).toBe(expected);
    }
    expect(await rows()).toEqual(before);
  });

  it('is tested below on every route without a session id', () => {
    expect(routesOfNoSession.map(([name]) => name)).toEqual([
      'getPractice',
      'createSession',
      'listSessions',
      'erasePatientOfInvoice',
      'listEvents',
    ]);
  });

  it('names its own practice', async () => {
    const { practiceId } = await service.clientOf(stranger.apiKey).practice.get();
    expect(practiceId).toBe(stranger.practiceId);
  });

  it('erases no patient by invoice', async () => {
    const before = await rows();
    const erasing = service.clientOf(stranger.apiKey).sessions.erasePatientOfInvoice('INV-1');
    expect(await erasing).toEqual({ erased: [], notEnded: [] });
    expect(await rows()).toEqual(before);
  });

  it('lists none of the sessions, by state or by invoice', async () => {
    const { sessions: its } = service.clientOf(stranger.apiKey);
    const status = ['pending', 'processing', 'cancelled'] as const;
    for (const filters of [{}, { status }, { invoiceId: 'INV-1' }, { limit: 100 }])
      expect(await its.listPage(filters)).toEqual({ data: [], nextCursor: null });
    expect((await service.client.sessions.listPage({ invoiceId: 'INV-1' })).data).toHaveLength(1);
  });

  it('lists none of the events', async () => {
    expect((await service.client.events.listPage()).data).toHaveLength(2);
    expect(await service.clientOf(stranger.apiKey).events.listPage()).toEqual({ data: [], nextCursor: null });
  });

  it('gets the same answer for a real cursor as for an invented one', async () => {
    const { nextCursor } = await service.client.sessions.listPage({ limit: 1 });
    const invented = cursorAfter(neverWas, {
      practiceId: 'prc_unknown',
      statuses: [],
      invoiceId: undefined,
      returned: false,
      createdSince: undefined,
      createdBefore: undefined,
    });
    const [its, none] = await Promise.all(
      [nextCursor, invented].map(async (cursor) =>
        comparable(await ask('GET', `/api/practice/sessions?limit=1&cursor=${cursor}`, stranger.apiKey)),
      ),
    );
    expect(its).toContain('invalid_cursor');
    expect(its).toBe(none);
  });

  it('can use the same idempotency key for its own request, and replays only that', async () => {
    const key = [['idempotency-key', 'order-1'] as const];
    const [one, other] = [await newPractice('One'), await newPractice('Other')];
    const first = await ask('POST', '/api/practice/sessions', one.apiKey, aBody, key);
    const strange = await ask('POST', '/api/practice/sessions', other.apiKey, aBody.replace('100', '200'), key);
    const again = await ask('POST', '/api/practice/sessions', other.apiKey, aBody.replace('100', '200'), key);
    expect([first.status, strange.status]).toEqual([201, 201]);
    expect(strange.headers['idempotent-replayed']).toBeUndefined();
    expect(again.body).toBe(strange.body);
    expect(first.body).not.toContain((JSON.parse(strange.body) as { sessionId: string }).sessionId);
  });
});

describe('an operator command for one practice', () => {
  const keyIdOf = (apiKey: string) => apiKey.split('_')[2] ?? '';
  const messageOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: unknown) => String(error),
    );

  it.each([
    [
      'revoke-key',
      (practiceId: string, keyId: string) => revokeKey(service.operated, { author, practiceId, keyId }, Date.now()),
    ],
    [
      'rotate-key',
      (practiceId: string, keyId: string) =>
        rotateKey(service.operated, { author, practiceId, keyId, end: 'now' }, Date.now()),
    ],
  ])("%s does not reach another practice's key", async (_, command) => {
    const before = await rows();
    const message = await messageOf(command(stranger.practiceId, keyIdOf(service.practice.apiKey)));
    expect(message).toMatch(/no key with this id/);
    expect(message).toBe(await messageOf(command(stranger.practiceId, 'AAAAAAAAAAAA')));
    expect(await rows()).toEqual(before);
    expect(await service.answerTo(service.practice.apiKey)).toBe('accepted');
  });

  it("rotate-secret does not reach another practice's endpoint", async () => {
    const rotate = (endpointId: string) =>
      messageOf(rotateSecret(service.operated, { author, practiceId: stranger.practiceId, endpointId }, Date.now()));
    const before = await rows();
    expect(await rotate(service.practice.endpointId)).toMatch(/no webhook endpoint/);
    expect(await rotate(service.practice.endpointId)).toBe(await rotate('we_unknown'));
    expect(await rows()).toEqual(before);
  });

  it("list-keys shows only the practice's own keys", async () => {
    const { keys } = await listKeys(service.operated, { practiceId: stranger.practiceId });
    expect(keys.map(({ keyId }) => keyId).sort()).toEqual([stranger.first, stranger.apiKey].map(keyIdOf).sort());
  });
});

describe('a credential of the other API', () => {
  const tokenOf = (url: string) => url.split('/s/')[1] ?? '';

  it("a patient's token is not a key, not even for its own session", async () => {
    const before = await rows();
    for (const [name, { method, path, body }] of Object.entries(practiceRoutes)) {
      const target = path.replace('{sessionId}', sessions.pending);
      const answer = comparable(
        await ask(method, target, tokenOf(pendingUrl), body === practiceRoutes.createSession.body ? aBody : ''),
      );
      expect(answer, name).toContain('api_key_invalid');
      expect(answer, name).toBe(comparable(await ask(method, target, sessionToken(neverWas, randomBytes))));
    }
    expect(await rows()).toEqual(before);
  });

  it('an API key, a session id and a token with another secret are no links', async () => {
    const before = await rows();
    const strange = [service.practice.apiKey, sessions.pending, sessionToken(sessions.pending, randomBytes)];
    for (const [name, { method, path }] of Object.entries(patientRoutes)) {
      const expected = comparable(await ask(method, path, sessionToken(neverWas, randomBytes), '{}'));
      expect(expected, name).toContain('link_not_found');
      for (const credential of strange)
        expect(comparable(await ask(method, path, credential, '{}')), name).toBe(expected);
    }
    expect(await rows()).toEqual(before);
  });
});
