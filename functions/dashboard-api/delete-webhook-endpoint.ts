import { randomBytes } from 'node:crypto';
import { deleteWebhookEndpointRoute } from '../contract/dashboard-api/delete-webhook-endpoint.ts';
import { dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { deleteEndpoint } from '../webhooks/webhook-endpoints.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('dashboardSessions', 'members', 'webhookEndpoints', 'auditLog'));
const tools = { database, dashboardUrl: dashboardUrl(), randomBytes };

export const handler = memberRoute(
  tools,
  deleteWebhookEndpointRoute,
  async ({ practiceId, author }, { params: { endpointId } }, { now }) => ({
    body: await deleteEndpoint(tools, { practiceId, endpointId, author }, now),
  }),
);
