import { randomBytes } from 'node:crypto';
import { changeAlertsRoute } from '../contract/dashboard-api/change-alerts.ts';
import { changeAlerts } from '../team/members.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'auditLog'));
const tools = { database, dashboardUrl: dashboardUrl(), randomBytes };

export const handler = memberRoute(
  tools,
  changeAlertsRoute,
  async ({ practiceId, userId, author }, { body: { wantsAlerts } }, { now }) => ({
    body: await changeAlerts(tools, { practiceId, userId, author, wantsAlerts }, now),
  }),
);
