import { getAlertsRoute } from '../contract/dashboard-api/get-alerts.ts';
import { getAlerts } from '../team/alerts.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { memberSession } from '../sessions/for-member.ts';
import { connect } from '../store/database.ts';
import { urlForMember } from '../webhooks/for-member.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'webhookEndpoints', 'sessions', 'invoiceClaims'));
const tools = { database, dashboardUrl: dashboardUrl() };

export const handler = memberRoute(tools, getAlertsRoute, async ({ practiceId, role }, _request, { now }) => {
  const { endpoints, failed, returned } = await getAlerts(tools, { practiceId }, now);
  const shown = {
    endpoints: endpoints.map((each) => urlForMember(each, role)),
    failed: failed.map((each) => memberSession(each, role, undefined, now)),
    returned: returned.map((each) => memberSession(each, role, undefined, now)),
  };
  return { body: shown };
});
