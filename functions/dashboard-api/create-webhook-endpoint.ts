import { randomBytes } from 'node:crypto';
import { createWebhookEndpointRoute } from '../contract/dashboard-api/create-webhook-endpoint.ts';
import { allowLoopbackWebhooks, dashboardUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { addEndpoint } from '../webhooks/webhook-endpoints.ts';
import { connect } from '../store/database.ts';

const tools = {
  database: connect(tableNames('dashboardSessions', 'members', 'practices', 'webhookEndpoints', 'auditLog')),
  dashboardUrl: dashboardUrl(),
  allowLoopbackWebhooks: allowLoopbackWebhooks(),
  randomBytes,
};

export const handler = memberRoute(
  tools,
  createWebhookEndpointRoute,
  async ({ practiceId, author }, { body }, { now }) => ({
    body: await addEndpoint(tools, { ...body, practiceId, author }, now),
  }),
);
