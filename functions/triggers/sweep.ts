import { eventBusName, queueUrl, tableNames } from '../environment.ts';
import { logsItsFaults } from '../log.ts';
import { publisher, busSender } from '../messages/webhooks/event-bus.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';
import { dueProcessorEvents } from '../store/payments/processor-events.ts';
import { dueOutcomes } from '../store/payments/sandbox-debits.ts';
import { ticketDuty, sweep } from '../sweep/sweep.ts';

const database = connect(tableNames());
const sendSettlements = ticketSender(queueUrl('settlements'));
const tools = {
  database,
  clock: Date.now,
  publish: publisher(busSender(eventBusName())),
  sendExpirations: ticketSender(queueUrl('expirations')),
  sendDebits: ticketSender(queueUrl('debits')),
  sendDeliveries: ticketSender(queueUrl('deliveries')),
  settlements:
    builtForMode === 'sandbox'
      ? ticketDuty(dueOutcomes(database), sendSettlements)
      : ticketDuty(dueProcessorEvents(database), sendSettlements),
};

export const handler = logsItsFaults(() => sweep(tools));
