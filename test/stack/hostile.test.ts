import { connect as connectSocket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPractice } from '../../functions/practices/settings.ts';
import { problems, requestFaultCodes, type ProblemCode } from '../../functions/contract/problems.ts';
import { patientRoutes } from '../../functions/contract/patient-routes.ts';
import { practiceRoutes } from '../../functions/contract/practice-routes.ts';
import {
  hostileRequests,
  marker,
  withWords,
  type HostileRequest,
  type Target,
  type Words,
} from '../support/hostile-requests.ts';
import { sendHttp, type HttpAnswer, type HttpRequest } from '../support/http-request.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import { readTables } from '../support/table-contents.ts';

let service: TestStack;
/** A practice without a webhook, so that nothing but sessions changes. */
let practice: { apiKey: string; password: string };
beforeAll(async () => {
  service = await startTestStack();
  await warmUp();
  const created = await createPractice(
    service.operated,
    { name: 'Attacked Practice', supportPhone: '+1 555 010 0100' },
    Date.now(),
  );
  practice = { apiKey: created.apiKey, password: created.testBankCredentials?.[0]?.password ?? '' };
});
afterAll(() => service.stop());

const seed = Number(process.env['HOSTILE_SEED'] ?? 20_261_120);
const runs = Number(process.env['HOSTILE_RUNS'] ?? 8);
const atOnce = 5;
/** What CloudFront passes on; it answers anything else itself. */
const distributionMethods = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'];

const routes = { ...practiceRoutes, ...patientRoutes };
type RouteName = keyof typeof routes;

/** A body that each route takes; the type asks for one of every new route. */
const bodies: Record<RouteName, unknown> = {
  createSession: {
    invoiceId: 'INV-1',
    amountCents: 100,
    patient: { firstName: 'Zoë', lastName: 'Okafor' },
    metadata: { location: 'north', 'visit type': 'x' },
  },
  getSessionStatus: undefined,
  listSessions: undefined,
  cancelSession: undefined,
  getSession: undefined,
  openSession: undefined,
  connectBank: { username: 'user_stuck', password: '<PASSWORD>' },
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

/** Starts the environments that the requests below need, so that three seconds are plenty. */
async function warmUp(): Promise<void> {
  for (const [, { method, path }] of targets) {
    const target = path === '$default' ? '/' : path.replaceAll(/[{}]/g, '');
    await Promise.all(
      Array.from({ length: atOnce }, () =>
        sendHttp(service.apiUrl, { method, target, headers: [], body: Buffer.alloc(0) }, 15_000),
      ),
    );
  }
}

/** A pending session, and what its practice and its patient can say to it; connected to a bank, it waits for the patient's word only. */
async function aSession(connected: boolean): Promise<{ sessionId: string; words: Words; patientWords: Words }> {
  const { sessionId, hostedUrl } = await service.createSession({}, { authorization: `Bearer ${practice.apiKey}` });
  const view = connected
    ? (
        await service.patient(hostedUrl)('POST', '/bank-connection', {
          username: 'user_stuck',
          password: practice.password,
        })
      ).body
    : {};
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

function routeOf({ method, target }: HttpRequest) {
  const [path = ''] = target.split('?');
  return Object.values(routes).find(
    (route) => route.method === method && new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
}

/** A refused sign-in counts as an attempt; nothing else that is refused leaves a trace. */
const countedRefusals: readonly string[] = ['bank_connection_failed', 'bank_connection_locked'] satisfies ProblemCode[];

/** Checks an answer; gives the ids of the sessions that it may have changed. */
function checkAnswer(request: HttpRequest, answer: HttpAnswer, targetId: string): string[] {
  const whole = JSON.stringify(answer);
  expect(answer.status, whole).toBeLessThan(500);
  expect(answer.headers['request-id'] ?? '', whole).toMatch(/^[\w-]{10,}$/);
  expect(answer.headers['cache-control']).toBe('no-store');
  if (answer.status < 400) return checkSuccess(request, answer, targetId);

  expect(JSON.stringify(answer.headers).toLowerCase()).not.toContain(marker);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  if (request.method === 'HEAD') return [];
  expect(answer.body.toLowerCase()).not.toContain(marker);
  const { code, ...problem } = JSON.parse(answer.body) as {
    code: ProblemCode;
    errors?: { code: string; pointer: string }[];
  };
  expect(Object.keys(problems)).toContain(code);
  expect(problem).toMatchObject({ ...problems[code], status: answer.status, requestId: answer.headers['request-id'] });
  expect(code === 'invalid_request').toBe(problem.errors !== undefined);
  for (const fault of problem.errors ?? []) {
    expect(requestFaultCodes).toContain(fault.code);
    expect(fault.pointer).toMatch(
      /^(|\/invoiceId|\/amountCents|\/patient|\/patient\/(first|last)Name|\/metadata|\/username|\/password|\/authorization(Accepted|Id)|status|invoiceId|limit|cursor|Idempotency-Key)$/,
    );
  }
  return countedRefusals.includes(code) ? [targetId] : [];
}

function checkSuccess(request: HttpRequest, answer: HttpAnswer, targetId: string): string[] {
  const route = routeOf(request);
  const body: unknown = JSON.parse(answer.body);
  expect(answer.status).toBe(route?.status);
  expect(answer.headers['content-type']).toBe('application/json');
  expect(route?.response.parse(body), 'exactly the promised fields').toEqual(body);
  if (route?.method === 'GET') return [];
  return route === practiceRoutes.createSession ? [(body as { sessionId: string }).sessionId] : [targetId];
}

/** What is stored of a created session is what was sent, as any JSON parser reads it. */
function checkStored(request: HttpRequest, answer: HttpAnswer, rows: ReadonlySet<string>): void {
  const sent = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(request.body)) as object;
  const { sessionId } = JSON.parse(answer.body) as { sessionId: string };
  const row =
    [...rows].find((text) => text.includes(`"sessionId":"${sessionId}"`) && text.includes('"tokenHash"')) ?? '';
  const { invoiceId, amountCents, patient, metadata } = JSON.parse(row.slice(row.indexOf(' '))) as Record<
    string,
    unknown
  >;
  expect({ invoiceId, amountCents, patient, metadata }).toEqual({ metadata: {}, ...sent });
}

describe(`hostile requests (HOSTILE_SEED=${seed} HOSTILE_RUNS=${runs})`, () => {
  const touched = new Set<string>();
  const seen = new Map<string, number>();

  async function attack(
    origin: string,
    connected: boolean,
    requests: readonly HostileRequest[],
    side: 'words' | 'patientWords',
  ): Promise<void> {
    const { sessionId, ...words } = await aSession(connected);
    const before = await readTables(service.stack);
    const sent = requests.map((request) => withWords(request, words[side]));
    const answers: { request: HttpRequest; answer: HttpAnswer }[] = [];
    for (let index = 0; index < sent.length; index += atOnce) {
      answers.push(
        ...(await Promise.all(
          sent
            .slice(index, index + atOnce)
            .map(async (request) => ({ request, answer: await sendHttp(origin, request) })),
        )),
      );
    }
    const after = await readTables(service.stack);

    for (const { request, answer } of answers) {
      for (const id of checkAnswer(request, answer, sessionId)) touched.add(id);
      if (answer.status === 201) checkStored(request, answer, after);
      const outcome =
        answer.status < 400
          ? String(answer.status)
          : ((request.method === 'HEAD' ? undefined : (JSON.parse(answer.body) as { code: string }).code) ?? 'head');
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }
    const changed = [
      ...[...before].filter((row) => !after.has(row)),
      ...[...after].filter((row) => !before.has(row)),
    ].filter((row) => ![...touched].some((id) => row.includes(id)));
    expect(changed, 'rows that changed though their request was refused').toEqual([]);
  }

  const manyRequests = (target: Target) =>
    fc.array(hostileRequests(target), { minLength: 1, maxLength: 40, size: 'max' });

  it.each(targets)(
    'to %s never break it, hang it, change what they may not or get their own words back',
    { timeout: 120_000 },
    async (name, target) => {
      const side = name in patientRoutes ? 'patientWords' : 'words';
      await fc.assert(
        fc.asyncProperty(fc.boolean(), manyRequests(target), (connected, requests) =>
          attack(service.apiUrl, connected, requests, side),
        ),
        // What takes a body can be wrong in more ways.
        { seed, numRuns: target.body === undefined ? runs : 3 * runs, interruptAfterTimeLimit: 60_000 },
      );
    },
  );

  it.each(targets.filter(([name]) => name in patientRoutes))(
    "to %s through the page's host do no more",
    { timeout: 120_000 },
    async (_, target) => {
      const reachTheApi = (requests: HostileRequest[]) =>
        requests.filter(
          (request) => distributionMethods.includes(request.method) && request.target.split('?')[0] === target.path,
        );
      await fc.assert(
        fc.asyncProperty(fc.boolean(), manyRequests(target), (connected, requests) =>
          attack(service.hostedUrl, connected, reachTheApi(requests), 'patientWords'),
        ),
        { seed, numRuns: Math.ceil(runs / 2), interruptAfterTimeLimit: 60_000 },
      );
    },
  );

  it('meet every kind of refusal', () => {
    expect([...seen.keys()]).toEqual(
      expect.arrayContaining([
        '200',
        '201',
        'route_not_found',
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

/** Sends bytes as they are and gives all that comes back until the connection is closed. */
async function sendBytes(...parts: (string | Buffer)[]): Promise<string> {
  const { hostname, port } = new URL(service.apiUrl);
  const socket = connectSocket(Number(port), hostname);
  socket.on('error', () => {});
  const answer = text(socket);
  for (const part of parts) {
    socket.write(part);
    if (parts.length > 1) await wait(5);
  }
  return answer;
}

describe('what the gateway answers itself', () => {
  const head = 'POST /api/practice/sessions HTTP/1.1\r\nhost: x\r\nconnection: close\r\n';

  it.each([
    ['a head of more than 10,240 bytes', `${head}x-long: ${'x'.repeat(11_000)}\r\n\r\n`, 431],
    ['no HTTP', `${marker}\r\n\r\n`, 400],
    ['a length that is no number', `${head}content-length: ten\r\n\r\n`, 400],
    [
      'two ways to find the end of the body',
      `${head}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['a header name with a space', `${head}a b: c\r\n\r\n`, 400],
    ['a path with a control character', 'GET /\x7f HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['a NUL in a header', `${head}a: \0\r\n\r\n`, 400],
  ])('refuses %s', async (_, bytes, status) => {
    const answer = await sendBytes(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).not.toContain(marker);
  });

  it('refuses more than 10 MB, and is there for the next request', { timeout: 30_000 }, async () => {
    const request = {
      method: 'POST',
      target: '/api/practice/sessions',
      headers: [['content-type', 'application/json'] as const],
      body: Buffer.alloc(10 * 1024 * 1024 + 1, 'x'),
    };
    expect(await sendHttp(service.apiUrl, request, 15_000)).toMatchObject({ status: 413 });
    expect(await sendHttp(service.apiUrl, { ...request, body: Buffer.alloc(0) })).toMatchObject({ status: 401 });
  });

  it('takes a body that comes byte by byte, and serves others meanwhile', async () => {
    const body = JSON.stringify(bodies.createSession);
    const slow = sendBytes(
      `${head}authorization: Bearer ${practice.apiKey}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`,
      ...body,
    );
    expect(
      await sendHttp(service.apiUrl, { method: 'GET', target: '/', headers: [], body: Buffer.alloc(0) }),
    ).toMatchObject({ status: 404 });
    expect(await slow).toMatch(/^HTTP\/1.1 201 /);
  });
});
