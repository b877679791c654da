import { livePayoutRoutes } from '../../contract/payments/dashboard-payouts.ts';
import { pick } from '../../domain/collections.ts';
import { dashboardUrl, tableNames } from '../../environment.ts';
import { areaHandler } from '../../http/area-handler.ts';
import { memberRoute } from '../../http/dashboard-route.ts';
import { findPayoutOfSession, openPayout } from '../../payments/payouts.ts';
import { listStatementLines, getStatement } from '../../payments/statement.ts';
import { connect } from '../../store/database.ts';

const books = tableNames('practices', 'bookings', 'payouts', 'sessions', 'reconciliations');
const tools = {
  database: connect({ ...books, ...tableNames('dashboardSessions', 'members') }),
  dashboardUrl: dashboardUrl(),
};

export const handler = areaHandler(
  memberRoute(tools, livePayoutRoutes.getStatement, async ({ practiceId }, { query: { month } }, { now }) => ({
    body: await getStatement(tools, { practiceId, month }, now),
  })),
  memberRoute(tools, livePayoutRoutes.listStatementLines, async ({ practiceId }, { query: { month } }, { now }) => ({
    body: { lines: await listStatementLines(tools, { practiceId, month }, now) },
  })),
  memberRoute(tools, livePayoutRoutes.getPayout, async ({ practiceId }, { params: { payoutId } }, { now }) => ({
    body: pick(await openPayout(tools, { practiceId, payoutId }, now), ['payout', 'lines']),
  })),
  memberRoute(tools, livePayoutRoutes.getPayoutOfSession, async ({ practiceId }, { params: { sessionId } }) => {
    const payout = await findPayoutOfSession(tools, { practiceId, sessionId });
    return { body: { ...(payout && { payout: pick(payout, ['payoutId', 'arrivesOn', 'status']) }) } };
  }),
);
