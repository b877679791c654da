import { randomBytes } from 'node:crypto';
import { practiceEndpointRoutes } from '../contract/webhooks/webhook-endpoints.ts';
import { queueUrl, tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';
import { testEndpoint } from '../webhooks/resend.ts';

const tools = {
  database: connect(tableNames()),
  mode: builtForMode,
  randomBytes,
  sendDeliveries: ticketSender(queueUrl('deliveries')),
};

export const handler = practiceRoute(tools, practiceEndpointRoutes.testWebhookEndpoint, (caller, { params }, { now }) =>
  testEndpoint(tools, { ...caller, ...params }, now),
);
