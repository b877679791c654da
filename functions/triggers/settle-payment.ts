import { settlementTicket } from '../contract/tickets.ts';
import { tableNames } from '../environment.ts';
import { ticketHandler } from '../messages/ticket-handler.ts';
import { settlePayment } from '../payments/settle.ts';
import { processorOfStage } from '../processors/of-stage.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('sessions', 'events', 'invoiceClaims', 'sandboxDebits'));
const tools = { database, processor: processorOfStage(database) };

/** Writes what the processor says became of a debit. */
export const handler = ticketHandler(
  settlementTicket,
  async ({ sessionId }) => void (await settlePayment(sessionId, tools, Date.now())),
);
