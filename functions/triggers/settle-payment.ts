import { settlementTicket } from '../contract/webhooks/tickets.ts';
import { queueUrl, tableNames } from '../environment.ts';
import { ticketSender } from '../messages/queues.ts';
import { ticketHandler } from '../messages/batch-handlers.ts';
import { comparePayment, settlePayment } from '../payments/settle.ts';
import { finderOfStage, notificationFinisherOfStage } from '../processors/of-stage.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames());
const tools = { database, processor: finderOfStage(database), sendSettlements: ticketSender(queueUrl('settlements')) };
const finishNotification = notificationFinisherOfStage(database);

export const handler = ticketHandler(settlementTicket, async (ticket) => {
  const { sessionId, comparison } = ticket;
  const now = Date.now();
  if (comparison === undefined) await settlePayment(tools, ticket, now);
  else await comparePayment(tools, { sessionId, comparison }, now);
  await finishNotification(ticket, now);
});
