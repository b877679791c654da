import { randomBytes } from 'node:crypto';
import { practiceDeliveryRoutes } from '../contract/webhooks/endpoint-deliveries.ts';
import { queueUrl, tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';
import { replayDeliveries, replaysPerRequest } from '../webhooks/resend.ts';

const tools = {
  database: connect(tableNames()),
  mode: builtForMode,
  randomBytes,
  sendDeliveries: ticketSender(queueUrl('deliveries')),
};

export const handler = practiceRoute(
  tools,
  practiceDeliveryRoutes.replayWebhooks,
  (caller, { params, body: { since } }, { now }) =>
    replayDeliveries(tools, { ...caller, ...params, since: Date.parse(since), limit: replaysPerRequest }, now),
);
