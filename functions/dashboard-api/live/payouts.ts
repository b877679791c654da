import { livePayoutRoutes } from '../../contract/payments/dashboard-payouts.ts';
import { dashboardUrl, tableNames } from '../../environment.ts';
import { areaHandler } from '../../http/area-handler.ts';
import { memberRoute } from '../../http/dashboard-route.ts';
import { getStatement } from '../../payments/statement.ts';
import { connect } from '../../store/database.ts';

const tools = {
  database: connect(
    tableNames('dashboardSessions', 'members', 'practices', 'bookings', 'payouts', 'sessions', 'reconciliations'),
  ),
  dashboardUrl: dashboardUrl(),
};

export const handler = areaHandler(
  memberRoute(tools, livePayoutRoutes.getStatement, async ({ practiceId }, { query: { month } }, { now }) => ({
    body: await getStatement(tools, { practiceId, month }, now),
  })),
);
