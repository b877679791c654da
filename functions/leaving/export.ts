import type { ApiKey } from '../domain/api-key.ts';
import { batchesOf } from '../domain/batches.ts';
import { omit } from '../domain/pick.ts';
import type { Session } from '../domain/session.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import { getSettings } from '../practices/settings.ts';
import { listApiKeys } from '../store/api-keys.ts';
import { auditPages } from '../store/audit-log.ts';
import { evidenceOf } from '../store/authorizations.ts';
import { bookingPages, payoutPages } from '../store/bookings.ts';
import type { Database } from '../store/database.ts';
import { listDeliveriesOfEvent } from '../store/delivery-log.ts';
import { eventIdPages } from '../store/event-list.ts';
import { getEvents } from '../store/events.ts';
import { listMembers } from '../store/members.ts';
import { sessionIdPages } from '../store/session-totals.ts';
import { getSessions } from '../store/sessions.ts';
import { listWebhookEndpoints } from '../store/webhook-endpoints.ts';

interface ExportTools {
  readonly database: Database<
    | 'practices'
    | 'sessions'
    | 'authorizations'
    | 'events'
    | 'deliveries'
    | 'webhookEndpoints'
    | 'apiKeys'
    | 'members'
    | 'auditLog'
  >;
  /** Only where money is real. */
  readonly books?: Database<'bookings' | 'payouts'> | undefined;
}

type Rows = AsyncIterable<readonly object[]>;

/** Everything of a practice, in pages, without secrets. Throws a Problem if there is no such practice. */
export async function exportPractice(
  { database, books }: ExportTools,
  { practiceId }: { readonly practiceId: string },
): Promise<Readonly<Record<string, Rows>>> {
  const settings = await getSettings({ database }, { practiceId });
  const sessionIds = () => inBatches(sessionIdPages(database, practiceId, { first: 'ses_', last: 'ses_~' }));
  const eventIds = () => inBatches(eventIdPages(database, practiceId));
  return {
    settings: once(async () => [settings]),
    sessions: mapped(sessionIds(), async (ids) => (await getSessions(database, ids)).map(withoutToken)),
    evidence: mapped(sessionIds(), (ids) => evidenceOf(database, ids)),
    events: mapped(eventIds(), (ids) => getEvents(database, ids)),
    deliveries: mapped(eventIds(), async (ids) =>
      (await Promise.all(ids.map((eventId) => listDeliveriesOfEvent(database, eventId)))).flat(),
    ),
    webhookEndpoints: once(async () => (await listWebhookEndpoints(database, practiceId)).map(withoutSecrets)),
    apiKeys: once(async () => (await listApiKeys(database, practiceId)).map(withoutHash)),
    members: once(() => listMembers(database, practiceId)),
    auditLog: auditPages(database, practiceId),
    ...(books && { bookings: bookingPages(books, practiceId), payouts: payoutPages(books, practiceId) }),
  };
}

const withoutToken = (session: Session) => omit(session, ['tokenHash', 'dueShard', 'dueAt']);
const withoutSecrets = (endpoint: WebhookEndpoint) => omit(endpoint, ['signingSecret', 'previousSigningSecret']);
const withoutHash = (key: ApiKey) => omit(key, ['secretHash']);

async function* once(read: () => Promise<readonly object[]>): AsyncGenerator<readonly object[]> {
  yield await read();
}

async function* mapped(
  batches: AsyncIterable<string[]>,
  read: (ids: string[]) => Promise<readonly object[]>,
): AsyncGenerator<readonly object[]> {
  for await (const ids of batches) yield await read(ids);
}

/** An index's page has thousands of ids. */
async function* inBatches(pages: AsyncIterable<string[]>): AsyncGenerator<string[]> {
  for await (const ids of pages) yield* batchesOf(ids, 100);
}
