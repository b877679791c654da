import type { DeliveryDetail, DeliverySummary } from '../../../functions/contract/webhooks/dashboard-deliveries.ts';
import { day, hour, minute, second } from '../../../functions/domain/time.ts';
import { before } from './time-data.ts';

const urls: Readonly<Record<string, string>> = {
  whe_billing: 'https://billing.lakeside.example/webhooks/payments',
  whe_reporting: 'https://reports.lakeside.example/incoming',
  whe_legacy: 'https://old.lakeside.example/hook',
};

type Attempt = DeliveryDetail['attempts'][number];

function detail(
  facts: Pick<DeliverySummary, 'eventId' | 'endpointId' | 'eventType' | 'status'> & Partial<DeliverySummary>,
  attempts: readonly Partial<Attempt>[],
  age: number,
): DeliveryDetail {
  const createdAt = before(age);
  return {
    delivery: { attempts: attempts.length, createdAt, ...facts },
    body: JSON.stringify({
      id: facts.eventId,
      type: facts.eventType,
      created_at: createdAt,
      api_version: '2026-11-20',
      livemode: false,
      practiceId: 'prc_lakeside',
      data: { sessionId: facts.sessionId, invoiceId: 'INV-1043', amountCents: 18_250 },
    }),
    attempts: attempts.map((attempt, index) => ({
      attemptNumber: index + 1,
      url: urls[facts.endpointId] ?? '',
      startedAt: before(age - (index * 5 + 1) * second),
      durationMilliseconds: 84,
      responseTruncated: false,
      ...attempt,
    })),
  };
}

/** Newest first. */
export function deliveries(): DeliveryDetail[] {
  return [
    detail(
      {
        eventId: 'evt_01KAGPROCESSING0000000000_1',
        endpointId: 'whe_reporting',
        eventType: 'session.payment.processing',
        status: 'pending',
        sessionId: 'ses_01KAGPROCESSING0000000000',
        nextAttemptAt: before(-12 * minute),
      },
      [
        { statusCode: 503, responseExcerpt: '<h1>Service Unavailable</h1>' },
        { error: 'timeout', durationMilliseconds: 15_000 },
      ],
      2 * hour,
    ),
    detail(
      {
        eventId: 'evt_01KAGPROCESSING0000000000_1',
        endpointId: 'whe_billing',
        eventType: 'session.payment.processing',
        status: 'delivered',
        sessionId: 'ses_01KAGPROCESSING0000000000',
        deliveredAt: before(2 * hour - second),
      },
      [{ statusCode: 200, responseExcerpt: '{"received":true}' }],
      2 * hour,
    ),
    detail(
      {
        eventId: 'evt_01KAGPAID00000000000000000_2',
        endpointId: 'whe_billing',
        eventType: 'session.payment.succeeded',
        status: 'delivered',
        sessionId: 'ses_01KAGPAID00000000000000000',
        deliveredAt: before(2 * day - 7 * second),
      },
      [
        { statusCode: 500, responseExcerpt: 'x'.repeat(200), responseTruncated: true },
        { statusCode: 204, responseExcerpt: '' },
      ],
      2 * day,
    ),
    detail(
      {
        eventId: 'evt_01KAGPAID00000000000000000_2',
        endpointId: 'whe_legacy',
        eventType: 'session.payment.succeeded',
        status: 'skipped',
        sessionId: 'ses_01KAGPAID00000000000000000',
      },
      [],
      2 * day,
    ),
    detail(
      {
        eventId: 'evt_01KAGFAILED00000000000000_2',
        endpointId: 'whe_legacy',
        eventType: 'session.payment.failed',
        status: 'failed',
        sessionId: 'ses_01KAGFAILED00000000000000',
      },
      [{ statusCode: 301, redirectsTo: 'https://www.lakeside.example/hook', responseExcerpt: 'Moved' }],
      4 * day,
    ),
    ...Array.from({ length: 40 }, (_, index) =>
      detail(
        {
          eventId: `evt_01KAF${String(index).padStart(18, '0')}_2`,
          endpointId: 'whe_billing',
          eventType: 'session.payment.succeeded',
          status: 'delivered' as const,
          sessionId: `ses_01KAF${String(index).padStart(18, '0')}`,
          deliveredAt: before((8 + index) * day - second),
        },
        [{ statusCode: 200, responseExcerpt: 'OK' }],
        (8 + index) * day,
      ),
    ),
  ];
}
