import { queueUrl, tableNames } from '../environment.ts';
import { logsItsFaults } from '../log.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';
import { mailSummaries } from '../team/notify.ts';

const tools = { database: connect(tableNames()), sendMails: ticketSender(queueUrl('mails')), clock: Date.now };

export const handler = logsItsFaults(() => mailSummaries(tools));
