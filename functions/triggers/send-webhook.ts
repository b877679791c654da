import { deliveryTicket } from '../contract/tickets.ts';
import { allowLoopbackWebhooks, eventBusName, queueUrl, tableNames } from '../environment.ts';
import { ownerNotifier } from '../messages/owner-events.ts';
import { ticketSender } from '../messages/queues.ts';
import { ticketHandler } from '../messages/ticket-handler.ts';
import { connect } from '../store/database.ts';
import { deliver, type DeliveryTools } from '../webhooks/deliver.ts';
import { postWebhook } from '../webhooks/post.ts';

const database = connect(tableNames('deliveries', 'attempts', 'events', 'webhookEndpoints'));
const sendDeliveries = ticketSender(queueUrl('deliveries'));
const notifyOwner = ownerNotifier(eventBusName());
const allowLoopback = allowLoopbackWebhooks();
const post: DeliveryTools['post'] = (request) => postWebhook(request, allowLoopback);
const tools = { database, sendDeliveries, notifyOwner, post, full: new Map(), clock: Date.now, random: Math.random };

export const handler = ticketHandler(deliveryTicket, (ticket) => deliver(tools, ticket));
