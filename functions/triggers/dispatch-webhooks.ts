import * as z from 'zod/mini';
import { dispatchTicket } from '../contract/tickets.ts';
import { queueUrl, tableNames } from '../environment.ts';
import { logsItsFaults } from '../log.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';
import { dispatchEvent, type DispatchTools } from '../webhooks/dispatch.ts';

const tools: DispatchTools = {
  database: connect(tableNames('events', 'webhookEndpoints', 'deliveries')),
  sendDeliveries: ticketSender(queueUrl('deliveries')),
};

export const handler = logsItsFaults(async (ticket: unknown) =>
  dispatchEvent(tools, z.parse(dispatchTicket, ticket), Date.now()),
);
