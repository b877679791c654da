import { randomBytes } from 'node:crypto';
import { changeTestBankPasswordRoute } from '../../contract/dashboard-api/change-test-bank-password.ts';
import { dashboardUrl, tableNames } from '../../environment.ts';
import { memberRoute } from '../../http/dashboard-route.ts';
import { newTestBankPassword } from '../../practices/test-bank.ts';
import { connect } from '../../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'practices', 'auditLog'));
const tools = { database, dashboardUrl: dashboardUrl(), mode: builtForMode, randomBytes };

export const handler = memberRoute(
  tools,
  changeTestBankPasswordRoute,
  async ({ practiceId, author }, _request, { now }) => ({
    body: await newTestBankPassword(tools, { practiceId, author }, now),
  }),
);
