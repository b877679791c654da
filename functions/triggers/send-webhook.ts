import { setTimeout as pause } from 'node:timers/promises';
import { deliveryTicket } from '../contract/webhooks/tickets.ts';
import { allowLoopbackWebhooks, eventBusName, queueUrl, tableNames } from '../environment.ts';
import { ownerNotifier, busSender } from '../messages/webhooks/event-bus.ts';
import { ticketSender } from '../messages/queues.ts';
import { batchHandler } from '../messages/batch-handlers.ts';
import { connect } from '../store/database.ts';
import { deliver, type EndpointTools } from '../webhooks/deliver.ts';
import { postWebhook } from '../webhooks/post.ts';

const allowLoopback = allowLoopbackWebhooks();
const tools: EndpointTools = {
  database: connect(tableNames()),
  post: (request, connections) => postWebhook(request, allowLoopback, { connections }),
  sendDeliveries: ticketSender(queueUrl('deliveries')),
  notifyOwner: ownerNotifier(busSender(eventBusName())),
  clock: Date.now,
  random: Math.random,
  pause: (milliseconds, signal) => pause(milliseconds, undefined, { signal }),
};

export const handler = batchHandler(deliveryTicket, (tickets) => deliver(tools, tickets));
