import * as z from 'zod/mini';
import { alertEvent } from '../contract/webhooks/tickets.ts';
import { notifyMembers } from '../team/notify.ts';
import { queueUrl, tableNames } from '../environment.ts';
import { logsItsFaults } from '../log.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()), sendMails: ticketSender(queueUrl('mails')) };

export const handler = logsItsFaults(async (event: unknown) =>
  notifyMembers(tools, z.parse(alertEvent, event), Date.now()),
);
