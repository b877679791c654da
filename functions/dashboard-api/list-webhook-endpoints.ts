import { listWebhookEndpointsRoute } from '../contract/dashboard-api/list-webhook-endpoints.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { listEndpoints } from '../practices/webhook-endpoints.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'practices', 'webhookEndpoints'));
const tools = { database, dashboardUrl: dashboardUrl() };

export const handler = memberRoute(tools, listWebhookEndpointsRoute, async ({ practiceId }) => ({
  body: await listEndpoints(tools, { practiceId }),
}));
