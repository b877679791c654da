import { eventBusName, queueUrl, tableNames } from '../environment.ts';
import { logsItsFaults } from '../log.ts';
import { publisher } from '../messages/event-bus.ts';
import { ticketSender } from '../messages/queues.ts';
import { overdueNotificationsOfStage, overdueOutcomesOfStage } from '../processors/of-stage.ts';
import { connect } from '../store/database.ts';
import { sweep } from '../sweep/sweep.ts';

const database = connect(tableNames('sessions', 'events', 'deliveries', 'webhookEndpoints'));
const tools = {
  database,
  clock: Date.now,
  publish: publisher(eventBusName()),
  sendExpirations: ticketSender(queueUrl('expirations')),
  sendDebits: ticketSender(queueUrl('debits')),
  sendDeliveries: ticketSender(queueUrl('deliveries')),
  outcomes: overdueOutcomesOfStage(database),
  notifications: overdueNotificationsOfStage(database),
};

export const handler = logsItsFaults(() => sweep(tools));
