import type { Session } from '../domain/session.ts';
import { day, toIso } from '../domain/time.ts';
import { listSessions } from '../sessions/list.ts';
import type { Database } from '../store/database.ts';
import { listWebhookEndpoints } from '../store/webhook-endpoints.ts';

const shown = 10;
const period = 30 * day;

/** Endpoints that fail or that we turned off, and payments that failed or were returned. */
export async function getAlerts(
  tools: { readonly database: Database<'webhookEndpoints' | 'sessions'> },
  { practiceId }: { readonly practiceId: string },
  now: number,
) {
  const createdSince = toIso(now - period);
  const newest = async (filter: { status?: ['failed']; returned?: true }): Promise<readonly Session[]> =>
    (await listSessions(tools, { practiceId, createdSince, limit: shown, ...filter }, now)).sessions;
  const [endpoints, failed, returned] = await Promise.all([
    listWebhookEndpoints(tools.database, practiceId),
    newest({ status: ['failed'] }),
    newest({ returned: true }),
  ]);
  const needsAttention = endpoints.filter(
    ({ ownerNotifiedAt, disabledReason }) => ownerNotifiedAt !== undefined || disabledReason !== undefined,
  );
  return { endpoints: needsAttention, failed, returned };
}
