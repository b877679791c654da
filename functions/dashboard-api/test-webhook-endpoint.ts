import { randomBytes } from 'node:crypto';
import { testWebhookEndpointRoute } from '../contract/dashboard-api/test-webhook-endpoint.ts';
import { dashboardUrl, queueUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';
import { testEndpoint } from '../webhooks/test-endpoint.ts';

const tools = {
  database: connect(tableNames('dashboardSessions', 'members', 'webhookEndpoints', 'deliveries', 'events', 'auditLog')),
  dashboardUrl: dashboardUrl(),
  mode: builtForMode,
  randomBytes,
  sendDeliveries: ticketSender(queueUrl('deliveries')),
};

export const handler = memberRoute(
  tools,
  testWebhookEndpointRoute,
  async ({ practiceId, author }, { params: { endpointId } }, { now }) => ({
    body: await testEndpoint(tools, { practiceId, endpointId, author }, now),
  }),
);
