import { queueUrl, tableNames } from '../../environment.ts';
import { logsItsFaults } from '../../log.ts';
import { ticketSender } from '../../messages/queues.ts';
import { reconcile } from '../../payments/reconcile.ts';
import { booksOfStage, repairerOfStage } from '../../processors/of-stage.ts';
import { connect } from '../../store/database.ts';

const database = connect(tableNames('practices', 'sessions', 'reconciliations', 'bookings', 'payouts'));
const tools = {
  database,
  clock: Date.now,
  sendSettlements: ticketSender(queueUrl('settlements')),
  repairNotifications: repairerOfStage(database),
  books: booksOfStage(database),
};

export const handler = logsItsFaults(() => reconcile(tools));
