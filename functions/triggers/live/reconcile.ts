import { randomBytes } from 'node:crypto';
import type { Practice } from '../../domain/practice.ts';
import { queueUrl, tableNames } from '../../environment.ts';
import { logsItsFaults } from '../../log.ts';
import { ticketSender } from '../../messages/queues.ts';
import { reconcile } from '../../payments/reconcile.ts';
import { followDeposit } from '../../practices/follow-deposit.ts';
import { booksOfStage, depositAccountsOfStage, repairerOfStage } from '../../processors/of-stage.ts';
import { connect } from '../../store/database.ts';

const database = connect(tableNames('practices', 'sessions', 'reconciliations', 'bookings', 'payouts', 'auditLog'));
const deposits = { database, accounts: depositAccountsOfStage(), randomBytes };
const tools = {
  database,
  clock: Date.now,
  sendSettlements: ticketSender(queueUrl('settlements')),
  repairNotifications: repairerOfStage(database),
  books: booksOfStage(database),
  followDeposit: (practice: Practice, now: number) => followDeposit(deposits, practice, now),
};

export const handler = logsItsFaults(() => reconcile(tools));
