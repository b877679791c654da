import { debitTicket } from '../contract/tickets.ts';
import { tableNames } from '../environment.ts';
import { ticketHandler } from '../messages/ticket-handler.ts';
import { advancePayment } from '../payments/submit.ts';
import { processorOfStage } from '../processors/of-stage.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames('sessions', 'events', 'invoiceClaims', 'sandboxDebits'));
const tools = { database, processor: processorOfStage(database) };

/** Hands an authorized debit to the processor, or takes it back where the practice has asked for that. */
export const handler = ticketHandler(debitTicket, ({ sessionId }) => advancePayment(sessionId, tools, Date.now()));
