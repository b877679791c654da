import { randomBytes } from 'node:crypto';
import { setWebhookEndpointStatusRoute } from '../contract/dashboard-api/set-webhook-endpoint-status.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { disableEndpoint, enableEndpoint } from '../webhooks/webhook-endpoints.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'webhookEndpoints', 'auditLog'));
const tools = { database, dashboardUrl: dashboardUrl(), randomBytes };

export const handler = memberRoute(
  tools,
  setWebhookEndpointStatusRoute,
  async ({ practiceId, author }, { params: { endpointId }, body: { status } }, { now }) => {
    const change = status === 'enabled' ? enableEndpoint : disableEndpoint;
    return { body: await change(tools, { practiceId, endpointId, author }, now) };
  },
);
