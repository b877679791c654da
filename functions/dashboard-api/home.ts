import { homeRoutes } from '../contract/team/dashboard-home.ts';
import type { Session } from '../domain/sessions/session.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { areaHandler } from '../http/area-handler.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { memberSession } from '../sessions/find.ts';
import { connect } from '../store/database.ts';
import { getAlerts } from '../team/alerts.ts';
import { getHome } from '../team/home.ts';
import { urlForMember } from '../webhooks/requirements.ts';

const tools = { database: connect(tableNames()), dashboardUrl: dashboardUrl(), mode: builtForMode };

export const handler = areaHandler(
  memberRoute(tools, homeRoutes.getHome, (caller, _request, { now }) => getHome(tools, caller, now)),
  memberRoute(tools, homeRoutes.getAlerts, async (caller, _request, { now }) => {
    const { endpoints, failed, returned, refundFailed, linkRequests } = await getAlerts(tools, caller, now);
    const shown = (session: Session) => memberSession(session, caller.role, undefined, now);
    return {
      endpoints: endpoints.map((each) => urlForMember(each, caller)),
      failed: failed.map(shown),
      returned: returned.map(shown),
      refundFailed: refundFailed.map(shown),
      linkRequests: linkRequests.map((each) => ({ ...shown(each), linkRequestedAt: each.linkRequestedAt })),
    };
  }),
);
