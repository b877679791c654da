import { randomBytes } from 'node:crypto';
import { moveWebhookEndpointRoute } from '../contract/dashboard-api/move-webhook-endpoint.ts';
import { allowLoopbackWebhooks, dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { updateEndpoint } from '../webhooks/webhook-endpoints.ts';
import { connect } from '../store/database.ts';

const tools = {
  database: connect(tableNames('dashboardSessions', 'members', 'webhookEndpoints', 'auditLog')),
  dashboardUrl: dashboardUrl(),
  allowLoopbackWebhooks: allowLoopbackWebhooks(),
  randomBytes,
};

export const handler = memberRoute(
  tools,
  moveWebhookEndpointRoute,
  async ({ practiceId, author }, { params: { endpointId }, body: { url } }, { now }) => ({
    body: await updateEndpoint(tools, { practiceId, endpointId, author, url }, now),
  }),
);
