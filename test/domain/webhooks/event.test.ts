import { describe, expect, it } from 'vitest';
import { sessionWebhook } from '../../../functions/contract/webhooks/webhooks.ts';
import {
  sessionEventBody,
  sessionEventId,
  sessionEventIds,
  sessionIdOfEvent,
} from '../../../functions/domain/webhooks/event.ts';
import { aSession } from '../../support/examples.ts';
import { sessionEventTypes } from '../../../functions/domain/sessions/transitions.ts';
import { wantsEvent, type WebhookEndpoint } from '../../../functions/domain/webhooks/webhook-endpoint.ts';

const at = '2026-11-20T10:00:00.000Z';
const full = aSession({
  status: 'succeeded',
  sequence: 2,
  processingAt: at,
  settledAt: at,
  failedAt: at,
  cancelledAt: at,
  failure: { code: 'insufficient_funds', message: 'No money.', achReturnCode: 'R01' },
  cancellation: { reason: 'expired' },
  return: { code: 'insufficient_funds', returnedAt: at },
});

describe('the body of a webhook', () => {
  it.each([...sessionEventTypes])('of type %s conforms to the contract', (type) => {
    const parsed = sessionWebhook.parse(JSON.parse(sessionEventBody(type, full, 'processing', at)));
    expect(parsed).toMatchObject({
      id: sessionEventId(full.sessionId, 2),
      type,
      created_at: at,
      practiceId: full.practiceId,
      data: { previousStatus: 'processing', sequence: 2, metadata: { location: 'north' } },
    });
  });

  it.each([
    ['session.payment.processing', ['processingAt']],
    ['session.payment.succeeded', ['settledAt']],
    ['session.payment.failed', ['failedAt', 'failure']],
    ['session.payment.cancelled', ['cancelledAt', 'cancellation']],
    ['session.payment.returned', ['settledAt', 'return']],
  ] as const)('of type %s has only the facts of its transition: %j', (type, facts) => {
    const { data } = sessionWebhook.parse(JSON.parse(sessionEventBody(type, full, 'processing', at)));
    const constant = ['sessionId', 'invoiceId', 'amountCents', 'status', 'previousStatus', 'sequence', 'metadata'];
    expect(
      Object.keys(data)
        .filter((key) => !constant.includes(key))
        .sort(),
    ).toEqual([...facts].sort());
  });

  it("never has the patient's name", () => {
    for (const type of sessionEventTypes) expect(sessionEventBody(type, full, 'pending', at)).not.toMatch(/Ada|Okafor/);
  });

  it('has an id made of session id and sequence', () => {
    expect(sessionEventId('ses_01KAG3ZQ8M0000000000000001', 3)).toBe('evt_01KAG3ZQ8M0000000000000001_3');
    const many = sessionEventIds({ sessionId: 'ses_01KAG3ZQ8M0000000000000001', sequence: 100 });
    expect([many.length, many.at(-1)]).toEqual([32, 'evt_01KAG3ZQ8M0000000000000001_100']);
    expect(sessionEventIds({ sessionId: 'ses_01KAG3ZQ8M0000000000000001', sequence: 2 })).toEqual([
      'evt_01KAG3ZQ8M0000000000000001_0',
      'evt_01KAG3ZQ8M0000000000000001_1',
      'evt_01KAG3ZQ8M0000000000000001_2',
    ]);
  });

  it('has an id that tells its session; a test event tells none', () => {
    expect(sessionIdOfEvent('evt_01KAG3ZQ8M0000000000000001_12')).toBe('ses_01KAG3ZQ8M0000000000000001');
    for (const other of ['evt_test_1', 'xevt_01KAG3ZQ8M0000000000000001_1', 'evt_01KAG3ZQ8M0000000000000001_1x'])
      expect(sessionIdOfEvent(other)).toBeUndefined();
  });
});

describe('an endpoint', () => {
  const endpoint: WebhookEndpoint = {
    practiceId: 'prc_1',
    endpointId: 'whe_1',
    url: 'https://hooks.example.com',
    status: 'enabled',
    signingSecret: 'whsec_1',
    createdAt: at,
  };
  const opened = { type: 'session.payment.opened', practiceId: 'prc_1' };

  it('without a filter wants every type but those to opt in to', () => {
    const wanted = sessionEventTypes.filter((type) => wantsEvent(endpoint, { ...opened, type }));
    expect(wanted.map((type) => type.split('.')[2])).toEqual([
      'processing',
      'succeeded',
      'failed',
      'cancelled',
      'returned',
    ]);
  });

  it('wants the types that it names, of the practices that it names', () => {
    const named = { ...endpoint, eventTypes: [opened.type] };
    expect(wantsEvent(named, opened)).toBe(true);
    expect(wantsEvent(named, { ...opened, type: 'session.payment.succeeded' })).toBe(false);
    expect(wantsEvent({ ...named, practiceIds: ['prc_2'] }, opened)).toBe(false);
  });
});
