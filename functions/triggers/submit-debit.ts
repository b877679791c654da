import { debitTicket } from '../contract/webhooks/tickets.ts';
import { tableNames } from '../environment.ts';
import { ticketHandler } from '../messages/batch-handlers.ts';
import { advancePayment } from '../payments/submit.ts';
import { processorOfStage } from '../processors/of-stage.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames());
const tools = { database, processor: processorOfStage(database) };

export const handler = ticketHandler(debitTicket, (ticket) => advancePayment(tools, ticket, Date.now()));
