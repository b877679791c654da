import { randomBytes } from 'node:crypto';
import { practiceDeliveryRoutes } from '../contract/webhooks/endpoint-deliveries.ts';
import { queueUrl, tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';
import { resendEvent } from '../webhooks/resend.ts';

const tools = {
  database: connect(tableNames()),
  mode: builtForMode,
  randomBytes,
  sendDeliveries: ticketSender(queueUrl('deliveries')),
};

export const handler = practiceRoute(tools, practiceDeliveryRoutes.resendWebhook, (caller, { params }, { now }) =>
  resendEvent(tools, { ...caller, ...params }, now),
);
