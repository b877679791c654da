import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { patientRoutes, practiceRoutes } from '../../functions/contract/routes.ts';
import { author, createPractice } from '../support/create-practice.ts';
import {
  hostileRequests,
  withWords,
  type HostileRequest,
  type Target,
  type Words,
} from '../support/hostile-requests.ts';
import {
  distributionMethods,
  sendHttp,
  originSecretsOf,
  pagesApiUrlOf,
  throughDistribution,
  type HttpAnswer,
  type HttpRequest,
} from '../support/http-request.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { patientOf } from '../support/patient.ts';
import { runCommand } from '../support/run-command.ts';
import { readTables } from '../support/table-contents.ts';
import { checkAnswer, checkStored } from './hostile-answers.ts';

let service: TestPractice;
/** It has no webhook, so that only sessions change. */
let practice: { practiceId: string; apiKey: string; password: string };
onStack.beforeAll(async ({ own }) => {
  service = own;
  const settings = { name: 'Attacked Practice', supportPhone: '+1 555 010 0100' };
  const { testBankCredentials, ...created } = await createPractice(
    service.operated,
    { ...settings, author },
    Date.now(),
  );
  // More than any machine sends.
  await runCommand(service.operated, 'update', { practice: created.practiceId, rateLimit: '10000' });
  practice = { ...created, password: testBankCredentials?.[0]?.password ?? '' };
});

const seed = Number(process.env['HOSTILE_SEED'] ?? 20_261_120);
const runs = Number(process.env['HOSTILE_RUNS'] ?? 1);
const atOnce = 5;
/** In milliseconds. A function's own timeout is shorter, and also fails the test. */
const patience = 60_000;

const routes = { ...practiceRoutes, ...patientRoutes };
type RouteName = keyof typeof routes;

/** A new route without a body does not compile. */
const bodies: Record<RouteName, unknown> = {
  getPractice: undefined,
  createSession: {
    invoiceId: 'INV-1',
    amountCents: 100,
    patient: { firstName: 'Zoë', lastName: 'Okafor' },
    metadata: { location: 'north', 'visit type': 'x' },
  },
  getSessionStatus: undefined,
  listEvents: undefined,
  listPayouts: undefined,
  getPayout: undefined,
  listSessions: undefined,
  cancelSession: undefined,
  erasePatient: undefined,
  erasePatientOfInvoice: { invoiceId: 'INV-1' },
  getAuthorization: undefined,
  listWebhookEndpoints: undefined,
  createWebhookEndpoint: { url: 'https://hooks.example.com/in', eventTypes: ['session.payment.failed'] },
  changeWebhookEndpoint: { url: 'https://hooks.example.com/in', eventTypes: null, status: 'disabled' },
  deleteWebhookEndpoint: undefined,
  rotateSigningSecret: { keepOldHours: 1 },
  testWebhookEndpoint: undefined,
  getWebhookEndpoint: undefined,
  listWebhookDeliveries: undefined,
  resendWebhook: undefined,
  replayWebhooks: { since: '2026-11-20T15:00:00Z' },
  getSession: undefined,
  openSession: undefined,
  extendSession: undefined,
  requestLink: undefined,
  connectBank: { username: 'user_stuck', password: '<PASSWORD>' },
  namePayer: { payerName: 'Zoë Okafor' },
  authorizePayment: { authorizationAccepted: true, authorizationId: '<AUTHORIZATION_ID>' },
};

const anyRoute: Target = { method: 'GET', path: '$default', body: undefined };
const targets: [string, Target][] = [
  ...Object.entries(routes).map(([name, { method, path }]): [string, Target] => [
    name,
    { method, path, body: bodies[name as RouteName] },
  ]),
  ['$default', anyRoute],
];
/** The distribution treats the routes of patients alike. */
const pageTargets = targets.filter(([name]) => name === 'getSession' || name === 'connectBank');

interface Victim {
  readonly sessionId: string;
  readonly words: Words;
  readonly patientWords: Words;
}

async function createVictim(connected: boolean): Promise<Victim> {
  const { sessionId, hostedUrl } = await service.createSession({}, { apiKey: practice.apiKey });
  const patient = patientOf(hostedUrl);
  const view = connected ? (await patient.connectBank('user_stuck', practice.password)).body : {};
  const token = hostedUrl.split('/s/')[1] ?? '';
  const shared = {
    SESSION_ID: sessionId,
    PASSWORD: practice.password,
    AUTHORIZATION_ID: (view['authorization'] as { id: string } | undefined)?.id ?? 'none',
  };
  return {
    sessionId,
    words: { ...shared, CREDENTIAL: practice.apiKey, OTHER_CREDENTIAL: token },
    patientWords: { ...shared, CREDENTIAL: token, OTHER_CREDENTIAL: practice.apiKey },
  };
}

const rowsNow = () => readTables(service.stack, practice.practiceId);

describe(`hostile requests (HOSTILE_SEED=${seed} HOSTILE_RUNS=${runs})`, () => {
  let before: ReadonlySet<string>;
  /** For each target, a session with a bank and one without. */
  const victims: [Victim, Victim][] = [];
  let cancelled: Victim;
  let attacks = 0;
  onStack.beforeAll(async () => {
    cancelled = await createVictim(false);
    await service.clientOf(practice.apiKey).sessions.cancel(cancelled.sessionId);
    for (const _ of [...targets, ...pageTargets])
      for (let run = 0; run < runs; run += 1) victims.push([await createVictim(true), await createVictim(false)]);
    before = await rowsNow();
  });
  const touched = new Set<string>();
  const stored: [HttpRequest, HttpAnswer][] = [];
  const attacked = new Set<string>();
  const seen = new Set<string>();

  async function attack(
    origin: string,
    requests: readonly HostileRequest[],
    side: 'words' | 'patientWords',
  ): Promise<void> {
    // A failure is repeated again and again, to find the shortest one.
    const kinds = [...(victims[attacks % victims.length] ?? []), cancelled];
    attacks += 1;
    const through = Object.entries(
      side === 'patientWords' ? throughDistribution((await originSecretsOf(service.stack))[0]) : {},
    );
    const sent = requests.map((hostile, index) => {
      const victim = kinds[index % kinds.length] ?? cancelled;
      const request = withWords(hostile, victim[side]);
      return { request: { ...request, headers: [...request.headers, ...through] }, sessionId: victim.sessionId };
    });
    for (let index = 0; index < sent.length; index += atOnce)
      await Promise.all(
        sent.slice(index, index + atOnce).map(async ({ request, sessionId }) => {
          const answer = await sendHttp(origin, request, patience);
          for (const id of checkAnswer(request, answer, sessionId)) touched.add(id);
          if (answer.status === 201) stored.push([request, answer]);
          const { code } = (answer.status < 400 || request.method === 'HEAD' ? {} : JSON.parse(answer.body)) as {
            code?: string;
          };
          seen.add(code ?? String(answer.status));
        }),
      );
  }

  // More for those with a body, because there are more ways to get it wrong. The first run is a biased one.
  const manyRequests = (target: Target) =>
    fc.noBias(
      fc.array(hostileRequests(target), {
        ...(target.body === undefined ? { minLength: 6, maxLength: 8 } : { minLength: 20, maxLength: 25 }),
        size: 'max',
      }),
    );

  // The same seed would make the same choices for each target.
  const seedOf = (name: string) => seed + targets.findIndex(([each]) => each === name);

  it.each(targets)('to %s never fail or hang, and are never echoed', async (name, target) => {
    attacked.add(name);
    const isPatients = name in patientRoutes;
    const origin = isPatients ? pagesApiUrlOf(service.stack) : service.apiUrl;
    await fc.assert(
      fc.asyncProperty(manyRequests(target), (requests) =>
        attack(origin, requests, isPatients ? 'patientWords' : 'words'),
      ),
      { seed: seedOf(name), numRuns: runs },
    );
  });

  it.each(pageTargets)("to %s through the hosted page's host do the same", async (name, target) => {
    attacked.add(`${name}, through the hosted page's host`);
    const reachTheApi = (requests: HostileRequest[]) =>
      requests.filter(
        (request) => distributionMethods.includes(request.method) && request.target.split('?')[0] === target.path,
      );
    await fc.assert(
      fc.asyncProperty(manyRequests(target), (requests) =>
        attack(service.hostedUrl, reachTheApi(requests), 'patientWords'),
      ),
      { seed: seedOf(name) + targets.length, numRuns: runs },
    );
  });

  // Not a test: it needs the answers of all tests, in any order.
  afterAll(async () => {
    const after = await rowsNow();
    for (const [request, answer] of stored) checkStored(request, answer, after);
    const changed = [
      ...[...before].filter((row) => !after.has(row)),
      ...[...after].filter((row) => !before.has(row)),
    ].filter((row) => ![...touched].some((id) => row.includes(id)));
    expect(changed, 'rows that changed although their request was refused').toEqual([]);
  });

  afterAll(() => {
    if (attacked.size < targets.length + pageTargets.length) return;
    expect([...seen], 'every kind of refusal').toEqual(
      expect.arrayContaining([
        '200',
        '201',
        'route_not_found',
        'method_not_allowed',
        'invalid_json',
        'invalid_request',
        'unsupported_media_type',
        'body_too_large',
        'api_key_missing',
        'api_key_invalid',
        'link_not_found',
        'session_not_found',
        'bank_connection_failed',
        'bank_not_connected',
        'session_closed',
      ]),
    );
  });
});
