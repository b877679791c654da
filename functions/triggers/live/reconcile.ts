import { randomBytes } from 'node:crypto';
import { Fault } from '../../domain/fault.ts';
import type { Practice } from '../../domain/practices/practice.ts';
import { evidenceBucketName, queueUrl, tableNames } from '../../environment.ts';
import { logFault, logsItsFaults } from '../../log.ts';
import { evidenceArchive } from '../../messages/payments/evidence-archive.ts';
import { ticketSender } from '../../messages/queues.ts';
import { checkArchive } from '../../payments/archive-evidence.ts';
import { reconcile } from '../../payments/reconcile.ts';
import { followDeposit } from '../../practices/deposit.ts';
import { booksOfStage, depositAccountsOfStage, repairerOfStage } from '../../processors/of-stage.ts';
import { connect } from '../../store/database.ts';

const database = connect(tableNames());
const deposits = { database, accounts: depositAccountsOfStage(), randomBytes };
const tools = {
  database,
  clock: Date.now,
  archive: evidenceArchive(evidenceBucketName()),
  sendSettlements: ticketSender(queueUrl('settlements')),
  repairNotifications: repairerOfStage(database),
  books: booksOfStage(database),
  followDeposit: (practice: Practice, now: number) => followDeposit(deposits, practice, now),
};

export const handler = logsItsFaults(async () => {
  const runs = await Promise.allSettled([reconcile(tools), checkArchive(tools)]);
  const failed = runs.flatMap((run) => (run.status === 'rejected' ? [run.reason] : []));
  for (const error of failed) logFault('hourly run failed', error);
  if (failed.length > 0) throw new Fault('see the log');
});
