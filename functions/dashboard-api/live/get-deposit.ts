import { randomBytes } from 'node:crypto';
import { getDepositRoute } from '../../contract/dashboard-api/get-deposit.ts';
import { dashboardUrl, tableNames } from '../../environment.ts';
import { memberRoute } from '../../http/dashboard-route.ts';
import { getDeposit } from '../../practices/deposit.ts';
import { depositAccountsOfStage } from '../../processors/of-stage.ts';
import { connect } from '../../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'practices', 'auditLog'));
const tools = { database, accounts: depositAccountsOfStage(), dashboardUrl: dashboardUrl(), randomBytes };

export const handler = memberRoute(tools, getDepositRoute, async ({ practiceId }, _request, { now }) => ({
  body: await getDeposit(tools, { practiceId }, now),
}));
