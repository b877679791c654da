import { firstSessionIdAt } from '../domain/identifier.ts';
import { hasRefund } from '../domain/payments/refund.ts';
import type { Session } from '../domain/sessions/session.ts';
import { day, toIso } from '../domain/time.ts';
import { findPayingSessions } from '../sessions/blocks.ts';
import { listSessions } from '../sessions/list.ts';
import { getExistingPractice } from '../store/practices/practices.ts';
import { readLinkRequests, readRefunds } from '../store/sessions/session-list.ts';
import type { ReadingTools } from '../store/database.ts';
import { listWebhookEndpoints } from '../store/webhooks/webhook-endpoints.ts';

/** How many of the newest sessions are read: a session created months ago can be returned today. */
const read = 50;
const shown = 10;
const period = 30 * day;

/**
 * Endpoints that are failing or that we disabled; payments that failed or were returned, unless another session is paying or
 * has paid the invoice since (a patient who got money twice still owes it then); refunds that failed; and patients who
 * asked for a new link, unless the invoice has a newer session.
 */
export async function getAlerts(tools: ReadingTools, { practiceId }: { readonly practiceId: string }, now: number) {
  const list = async (filter: {
    status?: ['failed'];
    returned?: true;
    invoiceId?: string;
    limit?: number;
  }): Promise<readonly Session[]> => (await listSessions(tools, { practiceId, limit: read, ...filter }, now)).sessions;
  const since = toIso(now - period);
  const [{ invoiceGuard }, endpoints, failed, returned, refunded, asked] = await Promise.all([
    getExistingPractice(tools.database, practiceId),
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
    asked: newestFirst(asked, since, ({ linkRequestedAt }) => linkRequestedAt),
  };
  const payers = await findPayingSessions(tools, [...recent.failed, ...recent.returned, ...recent.asked]);
  const isUnclaimed = (session: Session) => wasPaidBackTwice(session) || !payers.has(session.sessionId);
  /** Where an invoice may be paid twice, no claim says who paid it, so a later payment of the same amount counts. */
  const isUnpaid = async (session: Session): Promise<boolean> => {
    if (invoiceGuard || wasPaidBackTwice(session)) return true;
    const { invoiceId, amountCents, failedAt = '', return: returned } = session;
    return !(await list({ invoiceId, limit: shown })).some(
      (other) =>
        other.amountCents === amountCents &&
        (other.processingAt ?? '') > (returned?.returnedAt ?? failedAt) &&
        (other.status === 'processing' || (other.status === 'succeeded' && other.return === undefined)),
    );
  };
  const isNewest = async ({ invoiceId, linkRequestedAt = '' }: Session): Promise<boolean> => {
    const [newest] = await list({ invoiceId, limit: 1 });
    return (newest?.createdAt ?? '') <= linkRequestedAt;
  };
  const [openFailed, openReturned, openRequests] = await Promise.all([
    firstOpen(recent.failed.filter(isUnclaimed), isUnpaid),
    firstOpen(recent.returned.filter(isUnclaimed), isUnpaid),
    firstOpen(recent.asked.filter(isUnclaimed), isNewest),
  ]);
  return {
    endpoints: needsAttention,
    failed: openFailed,
    returned: openReturned,
    refundFailed: newestFirst(
      refunded.filter(({ refund }) => refund?.status === 'failed'),
      since,
      ({ refund }) => refund?.refundedAt,
    ).slice(0, shown),
    linkRequests: openRequests,
  };
}

/** Paid back by the refund and by the bank. Whoever pays the invoice after that, the practice has to ask for that money. */
function wasPaidBackTwice({ return: returned, refund }: Session): boolean {
  return returned !== undefined && hasRefund(refund);
}

/** Returns as many as are shown. Checks that many at a time, because each check can be a query. */
async function firstOpen(
  sessions: readonly Session[],
  isOpen: (session: Session) => Promise<boolean>,
): Promise<readonly Session[]> {
  const open: Session[] = [];
  for (let asked = 0; asked < sessions.length && open.length < shown; asked += shown) {
    const some = sessions.slice(asked, asked + shown);
    const answers = await Promise.all(some.map(isOpen));
    open.push(...some.filter((_, index) => answers[index]));
  }
  return open.slice(0, shown);
}

function newestFirst(
  sessions: readonly Session[],
  since: string,
  timeOf: (session: Session) => string | undefined,
): readonly Session[] {
  const at = (session: Session) => timeOf(session) ?? '';
  return sessions.filter((session) => at(session) >= since).sort((left, right) => at(right).localeCompare(at(left)));
}
