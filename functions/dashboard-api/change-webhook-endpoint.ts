import { randomBytes } from 'node:crypto';
import { changeWebhookEndpointRoute } from '../contract/dashboard-api/change-webhook-endpoint.ts';
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
  changeWebhookEndpointRoute,
  async ({ practiceId, author }, { params: { endpointId }, body }, { now }) => {
    const eventTypes = body.eventTypes === 'all' ? ['all'] : body.eventTypes;
    return { body: await updateEndpoint(tools, { ...body, eventTypes, practiceId, endpointId, author }, now) };
  },
);
