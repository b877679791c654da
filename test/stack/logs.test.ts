import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sessionView } from '../../functions/contract/patient-api.ts';
import type { Table } from '../../functions/contract/environment.ts';
import { metrics } from '../../functions/contract/metrics.ts';
import { due } from '../../functions/domain/due.ts';
import { sessionEventId } from '../../functions/domain/event.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import type { Session } from '../../functions/domain/session.ts';
import { transitions } from '../../functions/domain/transitions.ts';
import { isObject, parseJson } from '../../lib/local/json.ts';
import { aSession } from '../support/examples.ts';
import { startTestStack } from '../support/local-stack.ts';
import { databaseOf } from '../support/tables.ts';

interface Line extends Record<string, unknown> {
  readonly from: string;
}

/** What must never be in a log, by what it is. */
const secrets: Record<string, string> = {};
/** A text that occurs nowhere else. */
const marker = (what: string) => (secrets[what] = `Zq${randomBytes(6).toString('hex')}`);
const newSessionId = () => `ses_${ulid(Date.now(), randomBytes)}`;

const dataDir = await mkdtemp(join(tmpdir(), 'payment-logs-'));
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const printed: string[] = [];
let raw = '';
const lines: Line[] = [];
const ids = {
  paid: '',
  cancelled: '',
  unpaid: '',
  broken: newSessionId(),
  conflicting: newSessionId(),
  expired: newSessionId(),
};
const requestIds: Record<string, string> = {};
let rowAfterConflict: Record<string, unknown> | undefined;
let rowBeforeConflict: Record<string, unknown> | undefined;

/** The whole life of several sessions, with everything that can go wrong on the way; then what all functions logged. */
beforeAll(async () => {
  const service = await startTestStack({ dataDir, log: (line) => printed.push(line) });
  const { apiUrl, practice, receiver, stack } = service;
  const database = databaseOf(stack);
  const put = (table: Table, Item: object) =>
    database.client.send(new PutCommand({ TableName: database.tables[table], Item }));
  Object.assign(secrets, {
    'API key': practice.apiKey,
    'secret of the API key': practice.apiKey.split('_').at(-1) ?? '',
    'signing secret': receiver.secret,
    'bank password': practice.password,
    'URL of the receiver': receiver.url,
  });

  const call = async (
    name: string,
    method: string,
    path: string,
    {
      key = practice.apiKey,
      body,
      headers = {},
    }: { key?: string; body?: object; headers?: Record<string, string> } = {},
  ) => {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'user-agent': secrets['user agent'] ?? '',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    await response.text();
    requestIds[name] = response.headers.get('request-id') ?? '';
    return response.status;
  };

  const patient = { firstName: marker('first name'), lastName: marker('last name') };
  const request = {
    invoiceId: marker('invoice id'),
    patient,
    metadata: { [marker('metadata key')]: marker('metadata value') },
  };
  const idempotencyKey = {
    'idempotency-key': marker('idempotency key'),
    [`x-${marker('header name')}`]: marker('header value'),
  };
  marker('user agent');

  const paid = await service.createSession(request, idempotencyKey);
  const cancelled = await service.createSession({ patient });
  const unpaid = await service.createSession({ patient });
  Object.assign(ids, { paid: paid.sessionId, cancelled: cancelled.sessionId, unpaid: unpaid.sessionId });
  for (const { hostedUrl } of [paid, cancelled, unpaid])
    Object.assign(secrets, {
      [`link ${hostedUrl}`]: hostedUrl,
      [`token of ${hostedUrl}`]: hostedUrl.split('/s/')[1] ?? '',
    });

  // What the practice API refuses.
  await call('created again', 'POST', '/api/practice/sessions', {
    body: { amountCents: 18_250, ...request },
    headers: idempotencyKey,
  });
  await call('unknown key', 'POST', '/api/practice/sessions', { key: marker('unknown API key'), body: request });
  await call('mistyped key', 'GET', `/api/practice/sessions/${paid.sessionId}/status`, {
    key: `${practice.apiKey.slice(0, -1)}!`,
  });
  await call('sensitive', 'POST', '/api/practice/sessions', {
    body: { ...request, amountCents: 1, metadata: { diagnosis: marker('diagnosis') } },
  });
  await call('faulty', 'POST', '/api/practice/sessions', {
    body: { [marker('unknown field')]: marker('unknown value') },
  });
  await call('list', 'GET', `/api/practice/sessions?invoiceId=${marker('queried invoice')}`);
  await call('no such session', 'GET', `/api/practice/sessions/${marker('path')}/status`);
  await call('no such route', 'GET', `/${marker('unknown path')}?q=${marker('query')}`);

  // What the patient API refuses, and then the payment; its first webhook has to be sent twice.
  const holder = service.patient(paid.hostedUrl);
  await fetch(paid.hostedUrl);
  await service.patient(`${service.hostedUrl}/s/${(secrets['unknown token'] = randomBytes(32).toString('base64url'))}`)(
    'GET',
    '',
  );
  await holder('POST', '/open');
  await holder('POST', '/bank-connection', {
    username: marker('bank user name'),
    password: marker('wrong bank password'),
  });
  await holder('POST', '/bank-connection', { username: 'user_bank_down', password: practice.password });
  const connected = sessionView.parse(
    (await holder('POST', '/bank-connection', { username: 'user_good', password: practice.password })).body,
  );
  secrets["processor's account"] = 'user_good';
  secrets['authorization text'] = connected.authorization?.text ?? '';
  receiver.answers.push(500);
  await holder('POST', '/payment', { authorizationAccepted: true, authorizationId: connected.authorization?.id });
  await receiver.waitFor('session.payment.succeeded', paid.sessionId);
  await vi.waitFor(
    () =>
      expect(receiver.received.filter(({ event }) => event.id === sessionEventId(paid.sessionId, 1))).toHaveLength(2),
    { timeout: 15_000 },
  );

  await call('cancelled', 'POST', `/api/practice/sessions/${cancelled.sessionId}/cancel`);
  await call('cancelled too late', 'POST', `/api/practice/sessions/${paid.sessionId}/cancel`);
  const failing = service.patient(unpaid.hostedUrl);
  const refused = sessionView.parse(
    (await failing('POST', '/bank-connection', { username: 'user_insufficient_funds', password: practice.password }))
      .body,
  );
  await failing('POST', '/payment', { authorizationAccepted: true, authorizationId: refused.authorization?.id });
  await receiver.waitFor('session.payment.failed', unpaid.sessionId);

  // Faults of ours: rows that cannot be read, tickets and events that are none, and money for a session that is cancelled.
  const expiresAt = new Date(Date.now() - 1000).toISOString();
  await put(
    'sessions',
    aSession({
      sessionId: ids.expired,
      practiceId: practice.practiceId,
      patient,
      expiresAt,
      ...due('expiry', ids.expired, Date.parse(expiresAt)),
    }),
  );
  await put('sessions', {
    ...aSession({
      sessionId: ids.broken,
      practiceId: practice.practiceId,
      patient,
      ...due('expiry', ids.broken, Date.now() - 1000),
    }),
    status: marker('broken status'),
    createdAt: marker('broken time'),
  });
  await call('broken row', 'GET', `/api/practice/sessions/${ids.broken}/status`);
  const record = (body: object) => ({
    Records: [{ messageId: 'm-1', body: JSON.stringify(body), eventSource: 'aws:sqs' }],
  });
  await stack.functionOf('DebitsSubmitDebit').invoke(record({ sessionId: ids.broken }));
  await stack
    .functionOf('DebitsSettlePayment')
    .invoke(record({ sessionId: { [marker('ticket key')]: marker('ticket value') } }));
  await stack
    .functionOf('WebhooksDispatchWebhooks')
    .invoke({ eventId: { [marker('event key')]: marker('event value') } });
  await stack.functionOf('EventsPublishEvents').invoke({
    Records: [
      {
        dynamodb: {
          SequenceNumber: '1',
          NewImage: { body: { S: marker('event body') }, type: { S: marker('event type') } },
        },
      },
    ],
  });

  const conflicting: Partial<Session> = {
    sessionId: ids.conflicting,
    practiceId: practice.practiceId,
    patient,
    status: 'cancelled',
    sequence: 2,
    cancelledAt: expiresAt,
    cancellation: { reason: 'requested_by_practice' },
    processorAccount: 'user_good',
  };
  await put('sessions', aSession(conflicting));
  await put('sandboxDebits', {
    sessionId: ids.conflicting,
    debit: { username: 'user_good', amountCents: 18_250, submittedAt: new Date(Date.now() - 60_000).toISOString() },
  });
  const rowOf = async () =>
    (
      await database.client.send(
        new GetCommand({
          TableName: database.tables.sessions,
          Key: { sessionId: ids.conflicting },
          ConsistentRead: true,
        }),
      )
    ).Item;
  rowBeforeConflict = await rowOf();
  await stack.functionOf('DebitsSettlePayment').invoke(record({ sessionId: ids.conflicting }));
  rowAfterConflict = await rowOf();

  await stack.fireSchedules();
  await receiver.waitFor('session.payment.cancelled', ids.expired);
  database.client.destroy();
  await service.stop();

  for (const file of await readdir(join(dataDir, 'logs'))) {
    const text = await readFile(join(dataDir, 'logs', file), 'utf8');
    raw += text;
    for (const line of text.split('\n').filter(Boolean)) {
      const parsed = parseJson(line);
      if (isObject(parsed)) lines.push({ ...parsed, from: file });
    }
  }
}, 90_000);

const requestLine = (name: string) =>
  lines.find(({ message, requestId }) => message === 'request' && requestId === requestIds[name]);

describe('what the functions log and the runner prints', () => {
  it('holds no name, token, key, credential, invoice, text or body, whatever went wrong', () => {
    expect(Object.keys(secrets).length).toBeGreaterThan(35);
    expect(lines.length).toBeGreaterThan(50);
    expect(printed.join('\n'), 'the runner tells of functions that failed').toContain('failed with');
    const everything = raw + printed.join('\n');
    for (const [what, secret] of Object.entries(secrets)) {
      expect(secret.length, what).toBeGreaterThanOrEqual(8);
      for (const written of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
        expect(everything.includes(written), `the log holds the ${what}`).toBe(false);
    }
  });

  it('is one JSON object a line, with its time, level and message', () => {
    for (const line of lines.filter(({ level }) => level !== undefined)) {
      expect(line).toMatchObject({
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        message: expect.any(String) as string,
      });
      expect(['INFO', 'ERROR']).toContain(line['level']);
    }
  });

  it.each([
    ['created again', { route: 'POST /api/practice/sessions', status: 201, sessionId: 'paid' }],
    ['unknown key', { route: 'POST /api/practice/sessions', status: 401, problem: 'api_key_invalid' }],
    [
      'mistyped key',
      {
        route: 'GET /api/practice/sessions/{sessionId}/status',
        status: 401,
        problem: 'api_key_invalid',
        sessionId: 'paid',
      },
    ],
    ['sensitive', { route: 'POST /api/practice/sessions', status: 400, problem: 'invalid_request' }],
    [
      'no such session',
      { route: 'GET /api/practice/sessions/{sessionId}/status', status: 404, problem: 'session_not_found' },
    ],
    ['no such route', { route: '$default', status: 404, problem: 'route_not_found' }],
    ['cancelled', { route: 'POST /api/practice/sessions/{sessionId}/cancel', status: 200, sessionId: 'cancelled' }],
    [
      'cancelled too late',
      {
        route: 'POST /api/practice/sessions/{sessionId}/cancel',
        status: 409,
        problem: 'session_not_cancellable',
        sessionId: 'paid',
      },
    ],
    [
      'broken row',
      {
        route: 'GET /api/practice/sessions/{sessionId}/status',
        status: 500,
        problem: 'internal_error',
        sessionId: 'broken',
      },
    ],
  ] as const)('tells of the request "%s" its id, route, status, problem and session', (name, expected) => {
    const { timestamp: _, message: __, from: ___, ...told } = requestLine(name) ?? { from: '' };
    const sessionId = 'sessionId' in expected ? { sessionId: ids[expected.sessionId] } : {};
    expect(told).toEqual({ level: 'INFO', requestId: requestIds[name], ...expected, ...sessionId });
  });

  it('lets one session be followed through every function that handles it, and an event to its deliveries', () => {
    const speaking = (key: string, value: string) =>
      new Set(
        lines
          .filter((line) => line[key] === value)
          .map(
            ({ from }) =>
              /(CreateSession|OpenSession|ConnectBank|AuthorizePayment|SubmitDebit|SettlePayment|DispatchWebhooks|SendWebhook|CancelSession)/.exec(
                from,
              )?.[1],
          ),
      );
    expect(speaking('sessionId', ids.paid)).toEqual(
      new Set([
        'CreateSession',
        'OpenSession',
        'ConnectBank',
        'AuthorizePayment',
        'SubmitDebit',
        'SettlePayment',
        'DispatchWebhooks',
        'SendWebhook',
        'CancelSession',
        undefined,
      ]),
    );
    expect(speaking('eventId', sessionEventId(ids.paid, 1))).toEqual(
      new Set(['AuthorizePayment', 'DispatchWebhooks', 'SendWebhook']),
    );
  });

  it('names the place of a fault and the ids that it is about', () => {
    const faults = lines.filter(({ level }) => level === 'ERROR');
    expect(faults).toContainEqual(
      expect.objectContaining({
        message: 'request failed',
        requestId: requestIds['broken row'],
        sessionId: ids.broken,
        place: expect.stringContaining('at ') as string,
      }),
    );
    expect(faults).toContainEqual(
      expect.objectContaining({ message: 'ticket failed', sessionId: ids.broken, messageId: 'm-1' }),
    );
    expect(faults).toContainEqual(
      expect.objectContaining({ message: 'due row failed', duty: 'expiry', sessionId: ids.broken }),
    );
    expect(faults).toContainEqual(
      expect.objectContaining({
        message: 'invocation failed',
        from: expect.stringContaining('DispatchWebhooks') as string,
      }),
    );
  });
});

describe('the metrics in the log', () => {
  const measured = (name: string) => lines.filter((line) => name in line);

  it('count each transition of a session once, by what it came to', () => {
    const outcomes = measured('Sessions')
      .map(({ sessionId, Outcome }) => `${String(sessionId)} ${String(Outcome)}`)
      .sort();
    expect(outcomes).toEqual(
      [
        `${ids.paid} processing`,
        `${ids.paid} succeeded`,
        `${ids.unpaid} processing`,
        `${ids.unpaid} failed`,
        `${ids.cancelled} cancelled`,
        `${ids.expired} expired`,
      ].sort(),
    );
    for (const outcome of outcomes)
      expect(Object.values(transitions).map(({ outcome }) => outcome)).toContain(outcome.split(' ')[1]);
  });

  it('count attempts, and measure from the commit of an event to its first attempt only', () => {
    const attempts = measured('WebhookAttempts').filter(({ eventId }) => eventId === sessionEventId(ids.paid, 1));
    expect(attempts.map(({ Outcome, statusCode }) => [Outcome, statusCode])).toEqual([
      ['pending', 500],
      ['delivered', 204],
    ]);
    expect(attempts.map((line) => 'CommitToPost' in line)).toEqual([true, false]);
    expect(attempts[0]?.['CommitToPost']).toSatisfy((latency: number) => latency > 0 && latency < 15_000);
  });

  it("tell the sweep's delay by duty, and how long the processor has been waited for", () => {
    const ages = new Map(measured('SweepAge').map(({ Duty, SweepAge }) => [Duty, SweepAge]));
    expect([...ages.keys()].sort()).toEqual(['cancellation', 'debit', 'delivery', 'dispatch', 'expiry', 'outcome']);
    expect(ages.get('expiry')).toSatisfy((age: number) => age >= 1 && age < 60);
    expect(ages.get('cancellation')).toBe(0);
    expect(measured('OldestUnsubmittedDebit')[0]).toMatchObject({
      OldestUnsubmittedDebit: expect.any(Number) as number,
      OldestOpenCancellation: 0,
    });
  });

  it('report money for a cancelled session as an error that names it, and the session stays as it was', () => {
    expect(measured('MoneyForCancelledSession')).toEqual([
      expect.objectContaining({
        level: 'ERROR',
        sessionId: ids.conflicting,
        status: 'cancelled',
        state: 'succeeded',
        debitId: `sandbox_${ids.conflicting}`,
        MoneyForCancelledSession: 1,
      }),
    ]);
    expect(rowBeforeConflict).toBeDefined();
    expect(rowAfterConflict).toEqual(rowBeforeConflict);
  });

  it('are where CloudWatch looks for them', () => {
    const embedded = lines.filter(({ _aws }) => _aws !== undefined);
    expect(embedded.length).toBeGreaterThan(10);
    for (const line of embedded) {
      const { Timestamp, CloudWatchMetrics } = line['_aws'] as {
        Timestamp: number;
        CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string; Unit: string }[] }[];
      };
      expect(Timestamp).toBe(Date.parse(String(line['timestamp'])));
      for (const { Namespace, Dimensions, Metrics } of CloudWatchMetrics) {
        expect(Namespace).toBe('PatientInvoicePaymentSandbox');
        for (const { Name, Unit } of Metrics)
          expect([Unit, typeof line[Name]]).toEqual([metrics[Name as keyof typeof metrics].unit, 'number']);
        for (const dimension of Dimensions.flat()) expect(line[dimension]).toEqual(expect.any(String));
      }
    }
  });
});
