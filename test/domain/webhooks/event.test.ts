import { describe, expect, it } from 'vitest';
import { sessionWebhook } from '../../../functions/contract/webhooks/webhooks.ts';
import {
  eventCursorAfter,
  eventPosition,
  isExpiration,
  positionOfEventCursor,
  positionRange,
  practiceEventBody,
  sessionEventBody,
  sessionEventId,
  sessionEventIds,
  sessionIdOfEvent,
  testEventBody,
  withoutMetadata,
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

  it('has an ID that names its session, unless it is a test event', () => {
    expect(sessionIdOfEvent('evt_01KAG3ZQ8M0000000000000001_12')).toBe('ses_01KAG3ZQ8M0000000000000001');
    for (const other of ['evt_test_1', 'xevt_01KAG3ZQ8M0000000000000001_1', 'evt_01KAG3ZQ8M0000000000000001_1x'])
      expect(sessionIdOfEvent(other)).toBeUndefined();
  });
});

it("only an expiration's webhook says that its session expired", () => {
  const cancelled = (reason: 'expired' | 'requested_by_practice') =>
    sessionEventBody('session.payment.cancelled', { ...full, cancellation: { reason } }, 'pending', at);
  expect(isExpiration({ body: cancelled('expired') })).toBe(true);
  expect(isExpiration({ body: cancelled('requested_by_practice') })).toBe(false);
  expect(isExpiration({ body: sessionEventBody('session.payment.succeeded', full, 'processing', at) })).toBe(false);
});

it('a webhook without metadata is otherwise the same', () => {
  const body = sessionEventBody('session.payment.succeeded', full, 'processing', at);
  expect(withoutMetadata(body)).toBe(body.replace('"metadata":{"location":"north"}', '"metadata":{}'));
  expect(withoutMetadata(withoutMetadata(body))).toBe(withoutMetadata(body));
});

it('a test and a move between platforms have the form of every webhook', () => {
  const event = { eventId: 'evt_1', practiceId: 'prc_1', livemode: true };
  const form = { id: 'evt_1', created_at: at, api_version: '2026-11-20', livemode: true, practiceId: 'prc_1' };
  expect(JSON.parse(testEventBody(event, at))).toEqual({ ...form, type: 'webhook.test', data: {} });
  const move = { ...event, platformId: 'plt_1', joinedAt: at };
  const joined = JSON.parse(practiceEventBody('practice.joined', move));
  expect(joined).toEqual({ ...form, type: 'practice.joined', data: { joinedAt: at } });
  const leftAt = '2026-11-21T10:00:00.000Z';
  const left = JSON.parse(practiceEventBody('practice.left', { ...move, leftAt }));
  expect(left).toEqual({ ...form, type: 'practice.left', created_at: leftAt, data: { joinedAt: at, leftAt } });
});

describe('a page of events', () => {
  const position = eventPosition({ createdAt: at, eventId: 'evt_1' });
  const filter = { practiceId: 'prc_1', types: ['webhook.test', 'practice.left'], sessionId: undefined, since: at };
  const cursor = eventCursorAfter(position, filter);

  it('continues after its last event, with the same filters in any order', () => {
    expect(positionOfEventCursor(cursor, filter)).toBe(`${at}#evt_1`);
    expect(positionOfEventCursor(cursor, { ...filter, types: filter.types.toReversed() })).toBe(position);
  });

  it.each([{ practiceId: 'prc_2' }, { types: [] }, { sessionId: 'ses_1' }, { since: undefined }])(
    'does not continue with %j',
    (other) => {
      expect(positionOfEventCursor(cursor, { ...filter, ...other })).toBeUndefined();
    },
  );

  it('ends where the list begins', () => {
    expect(positionRange(at, undefined)).toEqual({ first: at, last: '~' });
    expect(positionRange(at, position)).toEqual({ first: at, last: `${at}#evt_0~` });
    expect(positionRange('2026-11-20T10:00:00.001Z', position)).toBeUndefined();
    expect(positionRange(`${at}#evt_0~`, position)).toEqual({ first: `${at}#evt_0~`, last: `${at}#evt_0~` });
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
