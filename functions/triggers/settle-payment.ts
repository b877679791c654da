import { settlementTicket } from '../contract/tickets.ts';
import { tableNames } from '../environment.ts';
import { ticketHandler } from '../messages/ticket-handler.ts';
import { settlePayment } from '../payments/settle.ts';
import { finderOfStage, notificationFinisherOfStage } from '../processors/of-stage.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('sessions', 'events', 'invoiceClaims'));
const tools = { database, processor: finderOfStage(database) };
const finishNotification = notificationFinisherOfStage(database);

export const handler = ticketHandler(settlementTicket, async (ticket) => {
  await settlePayment(tools, ticket, Date.now());
  await finishNotification(ticket);
});
