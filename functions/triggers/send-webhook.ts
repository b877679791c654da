import { deliveryTicket } from '../contract/tickets.ts';
import { allowLoopbackWebhooks, eventBusName, queueUrl, tableNames } from '../environment.ts';
import { ownerNotifier } from '../messages/owner-events.ts';
import { ticketSender } from '../messages/queues.ts';
import { ticketHandler } from '../messages/ticket-handler.ts';
import { connect } from '../store/database.ts';
import { deliver, type DeliveryTools } from '../webhooks/deliver.ts';
import { postWebhook } from '../webhooks/post.ts';

const allowLoopback = allowLoopbackWebhooks();

const tools: DeliveryTools = {
  database: connect(tableNames('deliveries', 'attempts', 'events', 'webhookEndpoints')),
  sendDeliveries: ticketSender(queueUrl('deliveries')),
  notifyOwner: ownerNotifier(eventBusName()),
  post: (post) => postWebhook(post, allowLoopback),
  full: new Map(),
  clock: Date.now,
  random: Math.random,
};

/** Sends webhooks, one POST per ticket. */
export const handler = ticketHandler(deliveryTicket, (ticket) => deliver(tools, ticket));
