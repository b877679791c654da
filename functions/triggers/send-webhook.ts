import { deliveryTicket } from '../contract/tickets.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { allowLoopbackWebhooks, eventBusName, queueUrl, tableNames } from '../environment.ts';
import { ownerNotifier } from '../messages/owner-events.ts';
import { ticketSender } from '../messages/queues.ts';
import { ticketHandler } from '../messages/ticket-handler.ts';
import { connect } from '../store/database.ts';
import { deliver, type DeliveryTools } from '../webhooks/deliver.ts';
import { postWebhook } from '../webhooks/post.ts';
import { eventReader } from '../webhooks/read-events.ts';
import { endpointSlots } from '../webhooks/slots.ts';

const database = connect(tableNames('deliveries', 'attempts', 'events', 'webhookEndpoints'));
const sendDeliveries = ticketSender(queueUrl('deliveries'));
const notifyOwner = ownerNotifier(eventBusName());
const allowLoopback = allowLoopbackWebhooks();
const post: DeliveryTools['post'] = (request) => postWebhook(request, allowLoopback);
const tools: DeliveryTools = {
  database,
  readEvent: eventReader(database),
  slots: endpointSlots({ database, clock: Date.now, pause }),
  post,
  sendDeliveries,
  notifyOwner,
  clock: Date.now,
  random: Math.random,
};

export const handler = ticketHandler(deliveryTicket, (ticket) => deliver(tools, ticket));
