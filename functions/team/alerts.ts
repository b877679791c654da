import { firstSessionIdAt } from '../domain/identifier.ts';
import type { Session } from '../domain/sessions/session.ts';
import { day, toIso } from '../domain/time.ts';
import { findPayers } from '../sessions/blocks.ts';
import { listSessions } from '../sessions/list.ts';
import { readLinkRequests, readRefunds } from '../store/sessions/session-list.ts';
import type { Database } from '../store/database.ts';
import { listWebhookEndpoints } from '../store/webhooks/webhook-endpoints.ts';

/** How many of the newest sessions are read: a session created months ago can be returned today. */
const read = 50;
const shown = 10;
const period = 30 * day;

/**
 * Endpoints that fail or that we turned off, and payments that failed or were returned, unless another session is paying, or has paid, the
 * invoice since; refunds that failed; and patients who asked for a new link, unless the invoice has got another session since.
 */
export async function getAlerts(
  tools: { readonly database: Database<'webhookEndpoints' | 'sessions' | 'invoiceClaims'> },
  { practiceId }: { readonly practiceId: string },
  now: number,
) {
  const list = async (filter: {
    status?: ['failed'];
    returned?: true;
    invoiceId?: string;
    limit?: number;
  }): Promise<readonly Session[]> => (await listSessions(tools, { practiceId, limit: read, ...filter }, now)).sessions;
  const since = toIso(now - period);
  const [endpoints, failed, returned, refunded, asked] = await Promise.all([
    listWebhookEndpoints(tools.database, practiceId),
    list({ status: ['failed'] }),
    list({ returned: true }),
    readRefunds(tools.database, practiceId, firstSessionIdAt(0), read),
    readLinkRequests(tools.database, practiceId, read),
  ]);
  const needsAttention = endpoints.filter(
    ({ ownerNotifiedAt, disabledReason }) => ownerNotifiedAt !== undefined || disabledReason !== undefined,
  );
  const recent = {
    failed: newestFirst(failed, since, ({ failedAt }) => failedAt),
    returned: newestFirst(returned, since, (session) => session.return?.returnedAt),
    asked: newestFirst(asked, since, ({ linkRequestedAt }) => linkRequestedAt).slice(0, shown),
  };
  const newestOfAsked = await Promise.all(recent.asked.map(({ invoiceId }) => list({ invoiceId, limit: 1 })));
  const payers = await findPayers(tools, [...recent.failed, ...recent.returned, ...recent.asked]);
  /** Where an invoice may be paid twice, no claim says who paid it: there, a later payment of the same amount did. */
  const isOpen = async ({ invoiceId, amountCents, failedAt = '', return: returned }: Session): Promise<boolean> =>
    !(await list({ invoiceId, limit: shown })).some(
      (other) =>
        other.amountCents === amountCents &&
        (other.processingAt ?? '') > (returned?.returnedAt ?? failedAt) &&
        (other.status === 'processing' || (other.status === 'succeeded' && other.return === undefined)),
    );
  const openOf = async (sessions: readonly Session[]) => {
    const newest = sessions.filter(({ sessionId }) => !payers.has(sessionId)).slice(0, shown);
    const open = await Promise.all(newest.map(isOpen));
    return newest.filter((_, index) => open[index]);
  };
  const [openFailed, openReturned] = await Promise.all([openOf(recent.failed), openOf(recent.returned)]);
  return {
    endpoints: needsAttention,
    failed: openFailed,
    returned: openReturned,
    refundFailed: newestFirst(
      refunded.filter(({ refund }) => refund?.status === 'failed'),
      since,
      ({ refund }) => refund?.refundedAt,
    ).slice(0, shown),
    linkRequests: recent.asked.filter(
      (session, index) =>
        !payers.has(session.sessionId) &&
        (newestOfAsked[index]?.[0]?.createdAt ?? '') <= (session.linkRequestedAt ?? ''),
    ),
  };
}

function newestFirst(
  sessions: readonly Session[],
  since: string,
  timeOf: (session: Session) => string | undefined,
): readonly Session[] {
  const at = (session: Session) => timeOf(session) ?? '';
  return sessions.filter((session) => at(session) >= since).sort((left, right) => at(right).localeCompare(at(left)));
}
