import { listDeliveriesRoute } from '../contract/dashboard-api/list-deliveries.ts';
import { sessionIdOfEvent } from '../domain/webhooks/event.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { connect } from '../store/database.ts';
import { listDeliveries } from '../webhooks/list-deliveries.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'webhookEndpoints', 'deliveries', 'sessions'));
const tools = { database, dashboardUrl: dashboardUrl() };

export const handler = memberRoute(tools, listDeliveriesRoute, async ({ practiceId }, { query }) => {
  const { deliveries, nextCursor } = await listDeliveries(tools, { practiceId, ...query });
  return {
    body: { data: deliveries.map((each) => ({ ...each, sessionId: sessionIdOfEvent(each.eventId) })), nextCursor },
  };
});
