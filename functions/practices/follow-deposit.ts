import { newAuditEntry, type AuditAction } from '../domain/team/audit-entry.ts';
import { Fault } from '../domain/fault.ts';
import type { RandomBytes } from '../domain/identifier.ts';
import type { Practice } from '../domain/practices/practice.ts';
import { toIso } from '../domain/time.ts';
import type { DepositAccount, DepositAccounts } from '../processors/processor.ts';
import type { Database } from '../store/database.ts';
import { readPractices, updatePractice, type PracticeChange } from '../store/practices/practices.ts';

export interface FollowTools {
  readonly database: Database<'practices' | 'auditLog'>;
  readonly accounts: Pick<DepositAccounts, 'findAccount'>;
  readonly randomBytes: RandomBytes;
}

/**
 * Asks the processor whether it pays out to the practice, and to which bank account or debit card, and records the
 * answer. Every admin gets a mail about a change. Undefined if the practice has no account or the processor does not answer.
 */
export async function followDeposit(
  { database, accounts, randomBytes }: FollowTools,
  practice: Practice,
  now: number,
): Promise<DepositAccount | undefined> {
  const { practiceId, depositAccountId: accountId } = practice;
  const account = accountId === undefined ? undefined : await accounts.findAccount(accountId);
  const step = account && stepOf(practice, account, now);
  if (!account || !step) return account;
  const details = {
    accountId,
    ready: account.isReady ? 'yes' : 'no',
    bankAccount: wordsOf(account.bankAccount) ?? 'unknown',
    from: wordsOf(practice.depositBank),
  };
  const author = { kind: 'processor' } as const;
  const entry = newAuditEntry(
    { practiceId, author, action: step.action, target: practiceId, details },
    now,
    randomBytes,
  );
  await updatePractice(database, practiceId, step.change, entry);
  return account;
}

/** False if no practice has the account. Throws if that is unknown, or the processor does not answer. */
export async function followDepositAccount(tools: FollowTools, accountId: string, now: number): Promise<boolean> {
  const { practices, unreadableIds } = await readPractices(tools.database);
  const practice = practices.find(({ depositAccountId }) => depositAccountId === accountId);
  if (!practice && unreadableIds.length > 0) throw new Fault('the account may be of a practice that could not be read');
  if (!practice) return false;
  if (!(await followDeposit(tools, practice, now))) throw new Fault('the processor did not answer about an account');
  return true;
}

interface Step {
  readonly action: Extract<AuditAction, `deposit_destination.${string}`>;
  readonly change: PracticeChange;
}

function stepOf(
  { depositReadyAt, depositBank }: Practice,
  { isReady, bankAccount }: DepositAccount,
  now: number,
): Step | undefined {
  const action = 'deposit_destination.changed';
  const bank = bankAccount ?? null;
  if (isReady && depositReadyAt === undefined)
    return {
      action,
      change: { set: { depositReadyAt: toIso(now), depositBank: bank }, unless: 'depositReadyAt' },
    };
  if (!isReady && depositReadyAt !== undefined)
    return {
      action: 'deposit_destination.stopped',
      change: { set: { depositReadyAt: null }, requires: 'depositReadyAt' },
    };
  if (isReady && bankAccount?.fingerprint !== depositBank?.fingerprint)
    return {
      action,
      change: { set: { depositBank: bank }, requires: 'depositReadyAt', was: { depositBank } },
    };
  return undefined;
}

function wordsOf(bank: Practice['depositBank']): string | undefined {
  return bank && `${bank.bankName}, ending in ${bank.last4}`;
}
