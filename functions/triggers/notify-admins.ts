import { notifyAdmins } from '../team/notify.ts';
import { queueUrl, tableNames } from '../environment.ts';
import { auditStreamHandler } from '../messages/batch-handlers.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()), sendMails: ticketSender(queueUrl('mails')) };

export const handler = auditStreamHandler((entry) => notifyAdmins(tools, entry));
