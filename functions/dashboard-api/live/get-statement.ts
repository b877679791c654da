import { getStatementRoute } from '../../contract/dashboard-api/get-statement.ts';
import { getStatement } from '../../payments/statement.ts';
import { dashboardUrl, tableNames } from '../../environment.ts';
import { memberRoute } from '../../http/dashboard-route.ts';
import { connect } from '../../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'practices', 'bookings', 'payouts', 'sessions'));
const tools = { database, dashboardUrl: dashboardUrl() };

export const handler = memberRoute(tools, getStatementRoute, async ({ practiceId }, { query: { month } }, { now }) => ({
  body: await getStatement(tools, { practiceId, month }, now),
}));
