import { newAuditEntry, type AuditAction } from '../domain/team/audit-entry.ts';
import { Fault } from '../domain/fault.ts';
import type { RandomBytes } from '../domain/identifier.ts';
import { dueReminder } from '../domain/practices/deposit-needs.ts';
import type { Practice } from '../domain/practices/practice.ts';
import { toIso } from '../domain/time.ts';
import type { DepositAccount, DepositAccounts } from '../processors/processor.ts';
import type { Database } from '../store/database.ts';
import { readPractices, updatePractice, type PracticeChange } from '../store/practices/practices.ts';

export interface FollowTools {
  readonly database: Database<'practices' | 'auditLog'>;
  readonly accounts: Pick<DepositAccounts, 'findAccount' | 'coverNegativeBalance'>;
  readonly randomBytes: RandomBytes;
}

/**
 * Asks the processor about the practice's account: whether it takes debits, to which bank account or debit card it pays out,
 * and what it needs by when. Records each change; every admin gets a mail about it. Undefined if the practice has no account
 * or the processor does not answer.
 */
export async function followDeposit(
  { database, accounts, randomBytes }: FollowTools,
  practice: Practice,
  now: number,
): Promise<DepositAccount | undefined> {
  const { practiceId, depositAccountId: accountId } = practice;
  const account = accountId === undefined ? undefined : await accounts.findAccount(accountId);
  if (!account) return undefined;
  if (!account.coversNegativeBalance) await accounts.coverNegativeBalance(account.accountId, now);
  const author = { kind: 'processor' } as const;
  for (const { action, change, details } of changesIn(practice, account, now)) {
    const entry = newAuditEntry(
      { practiceId, author, action, target: practiceId, details: { accountId, ...details } },
      now,
      randomBytes,
    );
    await updatePractice(database, practiceId, change, entry);
  }
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

interface Changed {
  readonly action: AuditAction;
  readonly change: PracticeChange;
  readonly details: Readonly<Record<string, string | undefined>>;
}

function changesIn(practice: Practice, account: DepositAccount, now: number): Changed[] {
  const found = [destination(practice, account, now), debits(practice, account, now), deadline(practice, account, now)];
  return found.filter((each) => each !== undefined);
}

function destination(practice: Practice, { isReady, bankAccount }: DepositAccount, now: number): Changed | undefined {
  const { depositReadyAt, depositBank } = practice;
  const bank = bankAccount ?? null;
  const details = {
    ready: isReady ? 'yes' : 'no',
    bankAccount: wordsOf(bankAccount) ?? 'unknown',
    from: wordsOf(depositBank),
  };
  const action = 'deposit_destination.changed';
  if (isReady && depositReadyAt === undefined)
    return {
      action,
      change: { set: { depositReadyAt: toIso(now), depositBank: bank }, unless: 'depositReadyAt' },
      details,
    };
  if (!isReady && depositReadyAt !== undefined)
    return {
      action: 'deposit_destination.stopped',
      change: { set: { depositReadyAt: null }, requires: 'depositReadyAt' },
      details,
    };
  if (isReady && bankAccount?.fingerprint !== depositBank?.fingerprint)
    return {
      action,
      change: { set: { depositBank: bank }, requires: 'depositReadyAt', unchanged: { name: 'depositBank', practice } },
      details,
    };
  return undefined;
}

function debits(practice: Practice, { takesDebits }: DepositAccount, now: number): Changed | undefined {
  const { depositReadyAt, depositBank, debitsStoppedAt } = practice;
  if (takesDebits)
    return debitsStoppedAt === undefined
      ? undefined
      : {
          action: 'debits.resumed',
          change: { set: { debitsStoppedAt: null }, requires: 'debitsStoppedAt' },
          details: {},
        };
  // An account that is still being set up never took any.
  const wasReady = depositReadyAt !== undefined || depositBank !== undefined;
  if (!wasReady || debitsStoppedAt !== undefined) return undefined;
  return {
    action: 'debits.stopped',
    change: { set: { debitsStoppedAt: toIso(now) }, unless: 'debitsStoppedAt' },
    details: {},
  };
}

function deadline(practice: Practice, account: DepositAccount, now: number): Changed | undefined {
  const { depositDeadline: known } = practice;
  const unchanged = { name: 'depositDeadline', practice } as const;
  const { deadline: at, needs } = account;
  // Once the account is stopped, its admins were told so.
  if (at === undefined || !account.takesDebits)
    return (
      known && {
        action: 'deposit_requirements.met',
        change: { set: { depositDeadline: null }, unchanged },
        details: {},
      }
    );
  const remindedDays = dueReminder(at, now);
  if (remindedDays === undefined || (known?.at === at && known.remindedDays <= remindedDays)) return undefined;
  return {
    action: 'deposit_requirements.due',
    change: { set: { depositDeadline: { at, remindedDays } }, unchanged },
    details: { deadline: at, needs: needs.join(' ') },
  };
}

function wordsOf(bank: Practice['depositBank']): string | undefined {
  return bank && `${bank.bankName}, ending in ${bank.last4}`;
}
