import { homeRoutes } from '../contract/team/dashboard-home.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { areaHandler } from '../http/area-handler.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { memberSession } from '../sessions/find.ts';
import { connect } from '../store/database.ts';
import { getAlerts } from '../team/alerts.ts';
import { getHome } from '../team/home.ts';
import { urlForMember } from '../webhooks/requirements.ts';

const tools = {
  database: connect(
    tableNames('dashboardSessions', 'members', 'practices', 'apiKeys', 'webhookEndpoints', 'sessions', 'invoiceClaims'),
  ),
  dashboardUrl: dashboardUrl(),
  mode: builtForMode,
};

export const handler = areaHandler(
  memberRoute(tools, homeRoutes.getHome, async ({ practiceId }, _request, { now }) => ({
    body: await getHome(tools, { practiceId }, now),
  })),
  memberRoute(tools, homeRoutes.getAlerts, async ({ practiceId, role }, _request, { now }) => {
    const { endpoints, failed, returned, refundFailed, linkRequests } = await getAlerts(tools, { practiceId }, now);
    return {
      body: {
        endpoints: endpoints.map((each) => urlForMember(each, role)),
        failed: failed.map((each) => memberSession(each, role, undefined, now)),
        returned: returned.map((each) => memberSession(each, role, undefined, now)),
        refundFailed: refundFailed.map((each) => memberSession(each, role, undefined, now)),
        linkRequests: linkRequests.map((each) => ({
          ...memberSession(each, role, undefined, now),
          linkRequestedAt: each.linkRequestedAt,
        })),
      },
    };
  }),
);
