import { listWebhookEndpointsRoute } from '../contract/dashboard-api/list-webhook-endpoints.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { listEndpoints } from '../webhooks/webhook-endpoints.ts';
import { connect } from '../store/database.ts';
import { urlForMember } from '../webhooks/for-member.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'practices', 'webhookEndpoints'));
const tools = { database, dashboardUrl: dashboardUrl() };

export const handler = memberRoute(tools, listWebhookEndpointsRoute, async ({ practiceId, role }) => {
  const { endpoints } = await listEndpoints(tools, { practiceId });
  return { body: { endpoints: endpoints.map((endpoint) => urlForMember(endpoint, role)) } };
});
