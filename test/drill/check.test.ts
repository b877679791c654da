import { expect, it } from 'vitest';
import { check, type Kept, type Received, type Told } from './check.ts';

interface Seen {
  told: Told[];
  received: Received[];
  kept: { -readonly [Part in keyof Kept]: Kept[Part] };
}

const sessionId = 'ses_1';

/** One payment that succeeded and was refunded in part. */
function onePayment(): Seen {
  const steps = [
    ['processing', 'pending'],
    ['succeeded', 'processing'],
    ['succeeded', 'succeeded'],
  ] as const;
  const events = steps.map(([status, previousStatus], index) => ({
    eventId: `evt_1_${index + 1}`,
    sessionId,
    body: JSON.stringify({ type: 'any', data: { status, previousStatus, sequence: index + 1 } }),
  }));
  const [order, amountCents] = ['order-1', 1000];
  const ends = new Set(['succeeded']);
  return {
    told: [
      {
        order,
        amountCents,
        sessionId,
        authorized: true,
        cancelled: false,
        ends,
        refunds: [{ cents: 100, answered: true }],
      },
    ],
    received: [...events, ...events].map(({ eventId, body }) => ({ eventId, body })),
    kept: {
      sessions: [
        {
          sessionId,
          status: 'succeeded',
          sequence: 3,
          amountCents,
          invoiceId: 'INV-1',
          metadata: { order },
          refund: { amountCents: 100 },
        },
      ],
      events,
      deliveries: events.map(({ eventId }) => ({ eventId, endpointId: 'we_1', status: 'delivered' })),
      evidence: [{ sessionId }],
      debits: [{ sessionId, cents: 1000, state: 'taken', refunds: [100] }],
      statuses: new Map([[sessionId, 'succeeded']]),
    },
  };
}

function violationsOf({ told, received, kept }: Seen): string[] {
  return check(told, received, kept);
}

const replaced = <Row extends object>(rows: readonly Row[], change: Partial<Row>): Row[] =>
  rows.map((row) => ({ ...row, ...change }));

function changeEvent(kept: Seen['kept'], at: number, change: object): void {
  kept.events = kept.events.map((row, index) => {
    const { type, data } = JSON.parse(row['body']);
    return index === at ? { ...row, body: JSON.stringify({ type, data: { ...data, ...change } }) } : row;
  });
}

it('finds nothing where nothing is lost, even if webhooks arrived twice', () => {
  expect(violationsOf(onePayment())).toEqual([]);
});

it('does not mistake a refused debit for a lost one', () => {
  const seen = onePayment();
  const steps = ['processing', 'failed'];
  const bodyOf = (status: string, index: number) =>
    JSON.stringify({
      type: 'any',
      data: { status, previousStatus: ['pending', ...steps][index], sequence: index + 1 },
    });
  const events = steps.map((status, index) => ({
    eventId: `evt_1_${index + 1}`,
    sessionId,
    body: bodyOf(status, index),
  }));
  seen.received = events;
  seen.told = replaced(seen.told, { ends: new Set(['failed']), refunds: [] });
  const sessions = [{ ...seen.kept.sessions[0], status: 'failed', sequence: 2, refund: undefined }];
  const statuses = new Map([[sessionId, 'failed']]);
  seen.kept = { ...seen.kept, sessions, events, deliveries: [], debits: [], statuses };
  expect(violationsOf(seen)).toEqual([]);
});

it.each<[string, (seen: Seen) => void, RegExp]>([
  ['a lost session', ({ kept }) => (kept.sessions = []), /created for order-1 and is lost/],
  ['a lost debit', ({ kept }) => (kept.debits = []), /accepted and there is no debit/],
  ['a doubled debit', ({ kept }) => (kept.debits = [...kept.debits, ...kept.debits]), /2 debits/],
  ['a debit without evidence', ({ kept }) => (kept.evidence = []), /without evidence/],
  ['a debit of another amount', ({ kept }) => (kept.debits = replaced(kept.debits, { cents: 1 })), /another amount/],
  [
    "a debit of nobody's",
    ({ kept }) => (kept.debits = [...kept.debits, { sessionId: 'ses_2', cents: 1, state: 'taken', refunds: [] }]),
    /ses_2 has a debit and is no session/,
  ],
  [
    'money that a cancelled session keeps',
    ({ kept }) => (kept.sessions = replaced(kept.sessions, { status: 'cancelled' })),
    /is cancelled, and the bank took the money/,
  ],
  [
    'a processing session whose debit ended',
    ({ kept }) => (kept.sessions = replaced(kept.sessions, { status: 'processing' })),
    /is processing, with 0 open debits/,
  ],
  [
    'an ended session with an open debit',
    ({ kept }) => (kept.debits = [...kept.debits, { sessionId, cents: 1000, state: 'open', refunds: [] }]),
    /is succeeded, with 1 open debits/,
  ],
  [
    'a session of another amount',
    ({ kept }) => (kept.sessions = replaced(kept.sessions, { amountCents: 1 })),
    /is about 1 cents, not 1000/,
  ],
  [
    'an authorization that was accepted and is lost',
    ({ kept }) => (kept.sessions = replaced(kept.sessions, { status: 'pending' })),
    /its authorization was accepted and is lost/,
  ],
  [
    'a success without a debit',
    ({ kept }) => (kept.debits = replaced(kept.debits, { state: 'failed' })),
    /it succeeded without a debit/,
  ],
  ['a changed end', ({ told: [told] }) => told?.ends.add('failed'), /was succeeded and failed, and is succeeded/],
  [
    'a cancellation that was accepted and is lost',
    ({ told: [told] }) => Object.assign(told ?? {}, { cancelled: true }),
    /its cancellation was accepted/,
  ],
  ['an API that says something else', ({ kept }) => (kept.statuses = new Map()), /the API says undefined/],
  [
    'a second session for an idempotency key, and a second payment for an invoice',
    ({ kept }) => (kept.sessions = [...kept.sessions, ...replaced(kept.sessions, { sessionId: 'ses_2' })]),
    /order-1 created 2 sessions[^]*INV-1 is paid 2 times/,
  ],
  ['a lost refund', ({ kept }) => (kept.debits = replaced(kept.debits, { refunds: [] })), /accepted and is lost/],
  [
    'another sum of refunds',
    ({ kept }) => (kept.sessions = replaced(kept.sessions, { refund: { amountCents: 50 } })),
    /50 cents were refunded, the bank says 100/,
  ],
  ['a doubled refund', ({ kept }) => (kept.debits = replaced(kept.debits, { refunds: [100, 100] })), /made twice/],
  ['a refund of nobody', ({ told: [told] }) => told?.refunds.pop(), /nobody asked for/],
  ['a lost event', ({ kept }) => (kept.events = kept.events.slice(0, 2)), /2 events for 3 transitions/],
  ['a skipped number', ({ kept }) => (kept.events = kept.events.slice(1)), /not numbered one by one/],
  [
    'an event that does not follow',
    ({ kept }) => changeEvent(kept, 1, { previousStatus: 'pending' }),
    /does not follow from the one before/,
  ],
  [
    'events that end elsewhere',
    ({ kept }) => changeEvent(kept, 2, { status: 'processing' }),
    /its events end with processing, and it is succeeded/,
  ],
  [
    'two ends',
    ({ kept }) => changeEvent(kept, 1, { status: 'failed' }),
    /it ended more than once: processing, failed, succeeded/,
  ],
  ['an event that never arrived', ({ received }) => received.splice(0), /evt_1_1 never arrived/],
  [
    'an event with two bodies',
    ({ received }) => received.push({ eventId: 'evt_1_1', body: '{}' }),
    /evt_1_1 arrived with another body/,
  ],
  [
    'a delivery that failed',
    ({ kept }) => (kept.deliveries = replaced(kept.deliveries, { status: 'failed' })),
    /the delivery of evt_1_1 to we_1 is failed/,
  ],
])('finds %s', (_, plant, violation) => {
  const seen = onePayment();
  plant(seen);
  expect(violationsOf(seen).join('\n')).toMatch(violation);
});
