import { randomBytes } from 'node:crypto';
import { replayWebhookEndpointRoute } from '../contract/dashboard-api/replay-webhook-endpoint.ts';
import { dashboardUrl, queueUrl, tableNames } from '../environment.ts';
import { memberRoute } from '../http/dashboard-route.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';
import { replayDeliveries } from '../webhooks/replay.ts';

const tools = {
  database: connect(tableNames('dashboardSessions', 'members', 'webhookEndpoints', 'deliveries', 'auditLog')),
  dashboardUrl: dashboardUrl(),
  randomBytes,
  sendDeliveries: ticketSender(queueUrl('deliveries')),
};

/** How many one request replays before it times out. The page sends more requests while there is more. */
const limit = 1000;

export const handler = memberRoute(
  tools,
  replayWebhookEndpointRoute,
  async ({ practiceId, author }, { params: { endpointId }, body: { since } }, { now }) => ({
    body: await replayDeliveries(tools, { practiceId, endpointId, author, since, limit }, now),
  }),
);
