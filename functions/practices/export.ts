import type { ApiKey } from '../domain/practices/api-key.ts';
import { batchesOf, omit } from '../domain/collections.ts';
import type { Delivery } from '../domain/webhooks/delivery.ts';
import type { EventRow } from '../domain/webhooks/event.ts';
import type { Session } from '../domain/sessions/session.ts';
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import { getSettings } from './settings.ts';
import { listApiKeys } from '../store/practices/api-keys.ts';
import { auditPages, writeAuditEntry } from '../store/team/audit-log.ts';
import { evidenceOf } from '../store/payments/authorizations.ts';
import { bookingPages, payoutPages } from '../store/payments/bookings.ts';
import type { Database, WritingTools } from '../store/database.ts';
import { listAttempts, listDeliveriesOfEvent } from '../store/webhooks/delivery-log.ts';
import { eventIdPages } from '../store/webhooks/event-list.ts';
import { getEvents } from '../store/webhooks/events.ts';
import { listMembers } from '../store/team/members.ts';
import { sessionIdPages } from '../store/sessions/session-list.ts';
import { getSessions } from '../store/sessions/sessions.ts';
import { listWebhookEndpoints } from '../store/webhooks/webhook-endpoints.ts';
import { type PracticeOfAuthor, practiceEntry } from './requirements.ts';

type Rows = AsyncIterable<readonly object[]>;

/** Reads all of a practice's data in pages, without secrets. Throws a Problem if there is no such practice. */
export async function exportPractice(
  tools: WritingTools,
  { practiceId, author }: PracticeOfAuthor,
  now: number,
): Promise<Readonly<Record<string, Rows>>> {
  const { database } = tools;
  const settings = await getSettings({ database }, { practiceId });
  await writeAuditEntry(database, practiceEntry(tools, { practiceId, author }, 'practice.exported', now));
  const sessionIds = () => inBatches(sessionIdPages(database, practiceId, { first: 'ses_', last: 'ses_~' }));
  const eventIds = () => inBatches(eventIdPages(database, practiceId));
  const deliveriesOf = async (ids: string[]) =>
    (await Promise.all(ids.map((eventId) => listDeliveriesOfEvent(database, eventId, practiceId)))).flat();
  return {
    settings: once(async () => [settings]),
    sessions: mapped(sessionIds(), async (ids) => (await getSessions(database, ids)).map(withoutToken)),
    evidence: mapped(sessionIds(), (ids) => evidenceOf(database, ids)),
    events: mapped(eventIds(), async (ids) => (await getEvents(database, ids)).map(withoutDueTimes)),
    deliveries: mapped(eventIds(), async (ids) => (await deliveriesOf(ids)).map(withoutAttempt)),
    attempts: attemptsOf(database, mapped(eventIds(), deliveriesOf)),
    webhookEndpoints: once(async () => (await listWebhookEndpoints(database, practiceId)).map(withoutSecrets)),
    apiKeys: once(async () => (await listApiKeys(database, practiceId)).map(withoutHash)),
    members: once(() => listMembers(database, practiceId)),
    auditLog: auditPages(database, practiceId),
    ...(database.tables.payouts !== undefined && {
      bookings: bookingPages(database, practiceId),
      payouts: payoutPages(database, practiceId),
    }),
  };
}

const dueTimes = ['dueShard', 'dueAt'] as const;

const withoutToken = (session: Session) => omit(session, ['tokenHash', ...dueTimes, 'taken']);
const withoutDueTimes = (event: EventRow) => omit(event, dueTimes);
const withoutSecrets = (endpoint: WebhookEndpoint) =>
  omit(endpoint, ['signingSecret', 'previousSigningSecret', 'olderSigningSecrets', 'inFlight']);
const withoutAttempt = (delivery: Delivery) => omit(delivery, ['firstAttempt', 'leasedUntil', ...dueTimes]);
const withoutHash = (key: ApiKey) => omit(key, ['secretHash']);

async function* once(read: () => Promise<readonly object[]>): AsyncGenerator<readonly object[]> {
  yield await read();
}

/** One delivery at a time: an attempt can hold 16 KiB of a response. */
async function* attemptsOf(
  database: Database,
  deliveries: AsyncIterable<readonly Delivery[]>,
): AsyncGenerator<readonly object[]> {
  for await (const page of deliveries) for (const delivery of page) yield await listAttempts(database, delivery);
}

async function* mapped<Row extends object>(
  batches: AsyncIterable<string[]>,
  read: (ids: string[]) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for await (const ids of batches) yield await read(ids);
}

/** A page of the index has thousands of IDs. */
async function* inBatches(pages: AsyncIterable<string[]>): AsyncGenerator<string[]> {
  for await (const ids of pages) yield* batchesOf(ids, 100);
}
