import { livePayoutRoutes } from '../../contract/payments/dashboard-payouts.ts';
import { pick } from '../../domain/collections.ts';
import { dashboardUrl, tableNames } from '../../environment.ts';
import { areaHandler } from '../../http/area-handler.ts';
import { memberRoute } from '../../http/dashboard-route.ts';
import { findPayoutOfSession, openPayout } from '../../payments/payouts.ts';
import { listStatementLines, getStatement } from '../../payments/statement.ts';
import { connect } from '../../store/database.ts';

const tools = { database: connect(tableNames()), dashboardUrl: dashboardUrl() };

export const handler = areaHandler(
  memberRoute(tools, livePayoutRoutes.getStatement, ({ practiceId }, { query: { month } }, { now }) =>
    getStatement(tools, { practiceId, month }, now),
  ),
  memberRoute(tools, livePayoutRoutes.listStatementLines, async ({ practiceId }, { query: { month } }, { now }) => ({
    lines: await listStatementLines(tools, { practiceId, month }, now),
  })),
  memberRoute(tools, livePayoutRoutes.getPayout, async (_caller, { params }, { now }) =>
    pick(await openPayout(tools, params, now), ['payout', 'lines']),
  ),
  memberRoute(tools, livePayoutRoutes.getPayoutOfSession, async (_caller, { params }) => {
    const payout = await findPayoutOfSession(tools, params);
    return { ...(payout && { payout: pick(payout, ['payoutId', 'arrivesOn', 'status']) }) };
  }),
);
