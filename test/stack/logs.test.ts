import { beforeAll, describe, expect, it } from 'vitest';
import { metrics } from '../../functions/contract/metrics.ts';
import { sessionEventId } from '../../functions/domain/webhooks/event.ts';
import { transitions } from '../../functions/domain/sessions/transitions.ts';
import { liveAndLog, type LoggedLife } from './logged-life.ts';

let life: LoggedLife;
beforeAll(async () => {
  life = await liveAndLog();
});

const requestLine = (name: string) =>
  life.lines.find(({ message, requestId }) => message === 'request' && requestId === life.requestIds[name]);

describe('the log', () => {
  it('holds no name, token, key, credential, invoice, text or body, whatever goes wrong', () => {
    expect(Object.keys(life.secrets).length).toBeGreaterThan(35);
    expect(life.lines.length).toBeGreaterThan(50);
    expect(life.printed, 'the runner reports functions that failed').toContain('failed with');
    for (const [what, secret] of Object.entries(life.secrets)) {
      expect(secret.length, what).toBeGreaterThanOrEqual(8);
      for (const written of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
        expect(life.text.includes(written), `the log holds the ${what}`).toBe(false);
    }
  });

  it('is one JSON object per line, with its time, level and message', () => {
    for (const line of life.lines.filter(({ level }) => level !== undefined)) {
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
  ] as const)('has a line for the request "%s" with its id, route, status, problem and session', (name, expected) => {
    const { timestamp: _, message: __, from: ___, ...told } = requestLine(name) ?? ({} as Record<string, unknown>);
    const sessionId = 'sessionId' in expected ? { sessionId: life.sessions[expected.sessionId] } : {};
    expect(told).toEqual({ level: 'INFO', requestId: life.requestIds[name], ...expected, ...sessionId });
  });

  it('follows a session through every function, and an event to its deliveries', () => {
    const functionsWith = (key: string, value: string) =>
      new Set(
        life.lines
          .filter((line) => line[key] === value)
          .map(
            ({ from }) =>
              /(CreateSession|OpenSession|ConnectBank|AuthorizePayment|SubmitDebit|SettlePayment|PublishEvents|SendWebhook|CancelSession)/.exec(
                from,
              )?.[1],
          ),
      );
    expect(functionsWith('sessionId', life.sessions.paid)).toEqual(
      new Set([
        'CreateSession',
        'OpenSession',
        'ConnectBank',
        'AuthorizePayment',
        'SubmitDebit',
        'SettlePayment',
        'PublishEvents',
        'SendWebhook',
        'CancelSession',
        undefined,
      ]),
    );
    expect(functionsWith('eventId', sessionEventId(life.sessions.paid, 1))).toEqual(
      new Set(['AuthorizePayment', 'PublishEvents', 'SendWebhook']),
    );
  });

  it.each([
    [
      'authorized',
      [
        ['AuthorizePayment', 'session changed', 'processing'],
        ['AuthorizePayment', 'request', 200],
        ['PublishEvents', 'event dispatched', 1],
        ['SubmitDebit', 'debit submitted', 'submitted'],
        ['SettlePayment', 'session changed', 'succeeded'],
        ['SendWebhook', 'webhook attempt', 500],
        ['SendWebhook', 'webhook attempt', 204],
      ],
    ],
    [
      'cancelled',
      [
        ['CancelSession', 'session changed', 'cancelled'],
        ['CancelSession', 'request', 200],
        ['PublishEvents', 'event dispatched', 1],
        ['SendWebhook', 'webhook attempt', 204],
      ],
    ],
  ] as const)('follows the request "%s" to what the receivers of its events answered', (name, expected) => {
    const lines = life.lines.filter(({ requestId }) => requestId === life.requestIds[name]);
    const told = lines.map(({ from, message, statusCode, result, deliveries, status }) => [
      /(AuthorizePayment|CancelSession|PublishEvents|SubmitDebit|SettlePayment|SendWebhook)/.exec(from)?.[1],
      message,
      statusCode ?? result ?? deliveries ?? status,
    ]);
    for (const line of expected) expect(told).toContainEqual(line);
    // Each event of a payment has an attempt that succeeded.
    const delivered = lines.filter(({ statusCode }) => statusCode === 204).map(({ eventId }) => eventId);
    expect(new Set(delivered).size).toBe(name === 'authorized' ? 2 : 1);
  });

  it('names the place of a fault and the ids it concerns', () => {
    const faults = life.lines.filter(({ level }) => level === 'ERROR');
    expect(faults).toContainEqual(
      expect.objectContaining({
        message: 'request failed',
        requestId: life.requestIds['broken row'],
        sessionId: life.sessions.broken,
        place: expect.stringContaining('at ') as string,
      }),
    );
    expect(faults).toContainEqual(
      expect.objectContaining({ message: 'ticket failed', sessionId: life.sessions.broken, messageId: 'm-1' }),
    );
    expect(faults).toContainEqual(
      expect.objectContaining({
        message: 'ticket failed',
        sessionId: life.sessions.broken,
        from: expect.stringContaining('ExpireSession') as string,
      }),
    );
    expect(faults).toContainEqual(
      expect.objectContaining({
        message: 'invocation failed',
        from: expect.stringContaining('PublishEvents') as string,
      }),
    );
  });
});

describe('metrics in the log', () => {
  const measured = (name: string) => life.lines.filter((line) => name in line);

  it('count each transition of a session once, by outcome', () => {
    const outcomes = measured('Sessions')
      .map(({ sessionId, Outcome }) => `${String(sessionId)} ${String(Outcome)}`)
      .sort();
    expect(outcomes).toEqual(
      [
        `${life.sessions.paid} processing`,
        `${life.sessions.paid} succeeded`,
        `${life.sessions.unpaid} processing`,
        `${life.sessions.unpaid} failed`,
        `${life.sessions.cancelled} cancelled`,
        `${life.sessions.expired} expired`,
      ].sort(),
    );
    for (const outcome of outcomes)
      expect(Object.values(transitions).map(({ outcome }) => outcome)).toContain(outcome.split(' ')[1]);
  });

  it('count webhook attempts, and measure the time from an event to its first attempt only', () => {
    const attempts = measured('WebhookAttempts').filter(
      ({ eventId }) => eventId === sessionEventId(life.sessions.paid, 1),
    );
    expect(attempts.map(({ Outcome, statusCode }) => [Outcome, statusCode])).toEqual([
      ['pending', 500],
      ['delivered', 204],
    ]);
    expect(attempts.map((line) => 'CommitToPost' in line)).toEqual([true, false]);
    expect(attempts[0]?.['CommitToPost']).toSatisfy((latency: number) => latency > 0 && latency < life.milliseconds);
  });

  it("measure the sweep's delay by duty, and the oldest work at the processor", () => {
    const byDuty = Map.groupBy(measured('SweepAge'), ({ Duty }) => Duty);
    const ages = new Map(
      [...byDuty].map(([duty, swept]) => [duty, Math.max(...swept.map((line) => Number(line['SweepAge'])))]),
    );
    expect([...ages.keys()].sort()).toEqual([
      'cancellation',
      'debit',
      'delivery',
      'dispatch',
      'expiry',
      'outcome',
      'refund',
    ]);
    expect(ages.get('expiry')).toSatisfy((age: number) => age >= 1 && age < 120);
    expect(ages.get('cancellation')).toBe(0);
    expect(measured('OldestUnsubmittedDebit')[0]).toMatchObject({
      OldestUnsubmittedDebit: expect.any(Number) as number,
      OldestOpenCancellation: 0,
    });
  });

  it('report money for a cancelled session as an error, and the session stays as it was', () => {
    expect(measured('MoneyForCancelledSession')).toEqual([
      expect.objectContaining({
        level: 'ERROR',
        sessionId: life.sessions.conflicting,
        status: 'cancelled',
        state: 'succeeded',
        debitId: `sandbox_${life.sessions.conflicting}`,
        MoneyForCancelledSession: 1,
      }),
    ]);
    const [before, after] = life.conflictingRows;
    expect(before).toBeDefined();
    expect(after).toEqual(before);
  });

  it('are where CloudWatch looks for them', () => {
    const embedded = life.lines.filter(({ _aws }) => _aws !== undefined);
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
