import { mailTicket } from '../contract/webhooks/tickets.ts';
import { sendMemberMail } from '../team/send-mail.ts';
import { dashboardUrl, requiredMailFrom, tableNames } from '../environment.ts';
import { mailSender } from '../messages/team/mail.ts';
import { ticketHandler } from '../messages/batch-handlers.ts';
import { connect } from '../store/database.ts';

const tools = {
  database: connect(tableNames()),
  sendMail: mailSender(requiredMailFrom()),
  dashboardUrl: dashboardUrl(),
};

export const handler = ticketHandler(mailTicket, (ticket) => sendMemberMail(tools, ticket, Date.now()));
