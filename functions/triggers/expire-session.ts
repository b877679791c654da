import { expiryTicket } from '../contract/webhooks/tickets.ts';
import { tableNames } from '../environment.ts';
import { ticketHandler } from '../messages/batch-handlers.ts';
import { expireSession } from '../sessions/cancel.ts';
import { connect } from '../store/database.ts';

const database = connect(tableNames());

export const handler = ticketHandler(expiryTicket, (ticket) => expireSession({ database }, ticket, Date.now()));
