import { eventBusName, queueUrl, tableNames } from '../environment.ts';
import { logsItsFaults } from '../log.ts';
import { publisher } from '../messages/event-bus.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';
import { sweep, type SweepTools } from '../sweep/sweep.ts';

const tools: SweepTools = {
  database: connect(tableNames('sessions', 'events', 'deliveries', 'sandboxDebits')),
  publish: publisher(eventBusName()),
  sendDebits: ticketSender(queueUrl('debits')),
  sendSettlements: ticketSender(queueUrl('settlements')),
  sendDeliveries: ticketSender(queueUrl('deliveries')),
  clock: Date.now,
};

/** Brings on what is overdue, once a minute. */
export const handler = logsItsFaults(() => sweep(tools));
