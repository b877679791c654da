import { Fault } from '../domain/fault.ts';
import type { Practice } from '../domain/practices/practice.ts';
import { platformAccount, type Reconciliation } from '../domain/payments/booking.ts';
import { day, minute, second, toIso } from '../domain/time.ts';
import { logError, logFault, logInfo } from '../log.ts';
import { AccountGone, type NotificationRepairer } from '../processors/processor.ts';
import { readPractices } from '../store/practices/practices.ts';
import { readReconciliations, saveReconciliation } from '../store/payments/bookings.ts';
import { sessionsWithStatus } from '../store/sessions/session-list.ts';
import { catchUp } from './catch-up.ts';
import { readBooks, readDisputes, type BookLimits, type BookTools } from './read-books.ts';
import { watchReturnRates } from './return-rates.ts';

interface ReconcileTools extends BookTools {
  readonly repairNotifications: NotificationRepairer;
  /** Asks the processor where it pays out a practice's money. */
  readonly followDeposit: (practice: Practice, now: number) => Promise<unknown>;
}

const runTime = 8 * minute;
/** Leaves out recent events: their notification may be on its way. */
const grace = 10 * minute;
const firstNotificationPeriod = 7 * day;
/** Spreads the look-ups, because the processor limits them. */
const ticketInterval = 50;

/**
 * Compares every open session with its debit, handles notifications that never arrived, and reads disputes and books.
 * The rest waits for the next run.
 */
export async function reconcile(tools: ReconcileTools): Promise<void> {
  const { database, clock } = tools;
  const now = clock();
  const { practices, unreadableIds } = await readPractices(database);
  await settleOpenSessions(tools, [...practices.map(({ practiceId }) => practiceId), ...unreadableIds]);

  // The account that waited longest comes first: there may not be time for all.
  const accounts = accountsOf(await readReconciliations(database), practices).sort((one, other) =>
    startOf(one, now).localeCompare(startOf(other, now)),
  );
  const limits = { until: toIso(now - grace), deadline: now + runTime, ticketInterval };
  const ends = [];
  let failed = 0;
  for (const each of accounts) {
    if (clock() >= limits.deadline) {
      ends.push(startOf(each, now));
      continue;
    }
    const { readUpTo, errors } = await reconcileAccount(tools, each, practices, limits, now);
    // A practice that was closed may also have closed its account at the processor.
    const owner = practices.find(({ practiceId }) => practiceId === each.practiceId);
    if (owner?.closedAt !== undefined && errors.some(({ error }) => error instanceof AccountGone)) continue;
    ends.push(readUpTo);
    if (errors.length > 0) failed += 1;
    for (const { step, error } of errors) logFault('account not reconciled', error, { account: each.account, step });
  }
  const age = (now - Math.min(...ends.map((end) => Date.parse(end)))) / second;
  logInfo('payments reconciled', { accounts: accounts.length, failed }, [
    { metric: 'ReconciliationAge', value: Math.round(age) },
  ]);
  if (failed > 0 || unreadableIds.length > 0)
    throw new Fault(`${failed} accounts could not be reconciled, ${unreadableIds.length} practices could not be read`);
}

/** Tries every step, so that one refused call does not stop the others. */
async function reconcileAccount(
  tools: ReconcileTools,
  each: Reconciliation,
  practices: readonly Practice[],
  limits: BookLimits,
  now: number,
) {
  let readUpTo = startOf(each, now);
  const steps = {
    async deposit() {
      const practice = practices.find(({ depositAccountId }) => depositAccountId === each.account);
      if (practice) await tools.followDeposit(practice, now);
    },
    async notifications() {
      readUpTo = await readNotifications(tools, each, now);
    },
    balance: () => readBalance(tools, each, now),
    disputes: () => readDisputes(tools, each, limits),
    async books() {
      const isRead = await readBooks(tools, each, limits);
      if (isRead && each.practiceId !== undefined) await watchReturnRates(tools, each.practiceId, now);
    },
  };
  const errors: { step: string; error: unknown }[] = [];
  for (const [step, run] of Object.entries(steps)) {
    try {
      await run();
    } catch (error) {
      errors.push({ step, error });
      if (error instanceof AccountGone || tools.clock() >= limits.deadline) break;
    }
  }
  return { readUpTo, errors };
}

async function settleOpenSessions(
  { database, sendSettlements }: ReconcileTools,
  practiceIds: readonly string[],
): Promise<void> {
  let sent = 0;
  for (const practiceId of practiceIds) {
    for await (const sessions of sessionsWithStatus(database, practiceId, 'processing')) {
      await sendSettlements(
        sessions.map(({ sessionId }, index) => ({
          body: { sessionId, comparison: 'first' },
          delay: (sent + index) * ticketInterval,
        })),
      );
      sent += sessions.length;
    }
  }
  logInfo('open sessions looked up', { sessions: sent });
}

/** Includes accounts that practices had before: returns come late. */
function accountsOf(known: readonly Reconciliation[], practices: readonly Practice[]): Reconciliation[] {
  const accounts = new Map<string, Reconciliation>([[platformAccount, { account: platformAccount }]]);
  for (const { practiceId, depositAccountId: account } of practices)
    if (account !== undefined) accounts.set(account, { account, practiceId });
  for (const each of known) accounts.set(each.account, each);
  return [...accounts.values()];
}

const startOf = ({ notifications }: Reconciliation, now: number) =>
  notifications?.from ?? toIso(now - firstNotificationPeriod);

/** A return after the payout leaves the practice owing money. If it cannot pay, or it was a destination charge, the operator owes it. */
async function readBalance({ database, books }: ReconcileTools, of: Reconciliation, now: number): Promise<void> {
  const { account, practiceId } = of;
  if (practiceId === undefined && account !== platformAccount) return;
  const availableCents = await books.readBalance(account);
  await saveReconciliation(database, { account, practiceId, balance: { availableCents, at: toIso(now) } });
  if (availableCents < 0)
    logError('balance is negative', { account, practiceId, availableCents }, [
      { metric: 'NegativeBalances', value: 1 },
    ]);
}

/** Returns the time up to which notifications are read. */
async function readNotifications(
  { database, clock, repairNotifications }: ReconcileTools,
  reconciliation: Reconciliation,
  now: number,
): Promise<string> {
  const { account, practiceId } = reconciliation;
  const { from } = await catchUp(
    reconciliation.notifications ?? { from: startOf(reconciliation, now) },
    { until: toIso(now - grace), clock, deadline: now + runTime },
    async (page) => {
      const { repaired, after } = await repairNotifications(account, page, now);
      if (repaired > 0)
        logError('notifications were missing', { account, notifications: repaired }, [
          { metric: 'ReconciliationDifferences', value: repaired, by: 'notification' },
        ]);
      return after;
    },
    (notifications) => saveReconciliation(database, { account, practiceId, notifications }),
  );
  return from;
}
