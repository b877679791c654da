import { randomBytes } from 'node:crypto';
import { sandboxTestBankRoutes } from '../../contract/practices/dashboard-settings.ts';
import { dashboardUrl, tableNames } from '../../environment.ts';
import { areaHandler } from '../../http/area-handler.ts';
import { memberRoute } from '../../http/dashboard-route.ts';
import { getTestBank, newTestBankPassword } from '../../practices/test-bank.ts';
import { connect } from '../../store/database.ts';

const tools = { database: connect(tableNames()), dashboardUrl: dashboardUrl(), mode: builtForMode, randomBytes };

export const handler = areaHandler(
  memberRoute(tools, sandboxTestBankRoutes.getTestBank, (caller) => getTestBank(tools, caller)),
  memberRoute(tools, sandboxTestBankRoutes.changeTestBankPassword, (caller, _request, { now }) =>
    newTestBankPassword(tools, caller, now),
  ),
);
