import { getTestBankRoute } from '../../contract/dashboard-api/get-test-bank.ts';
import { dashboardUrl, tableNames } from '../../environment.ts';
import { memberRoute } from '../../http/dashboard-route.ts';
import { getTestBank } from '../../practices/test-bank.ts';
import { connect } from '../../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'practices'));
const tools = { database, dashboardUrl: dashboardUrl(), mode: builtForMode };

export const handler = memberRoute(tools, getTestBankRoute, async ({ practiceId }) => ({
  body: await getTestBank(tools, { practiceId }),
}));
