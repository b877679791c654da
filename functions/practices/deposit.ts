import { platformOf, type AuditAction } from '../domain/team/audit-entry.ts';
import { Fault } from '../domain/fault.ts';
import { dueReminder } from '../domain/practices/deposit-needs.ts';
import type { Practice } from '../domain/practices/practice.ts';
import { toIso } from '../domain/time.ts';
import type { DepositAccount, DepositAccounts } from '../processors/processor.ts';
import type { WritingTools } from '../store/database.ts';
import { readPractices, updatePractice, type PracticeChange } from '../store/practices/practices.ts';
import type { Deposit } from '../contract/practices/dashboard-going-live.ts';
import { Problem } from '../contract/problem.ts';
import { writeAuditEntry } from '../store/team/audit-log.ts';
import { practiceNotFound, requirePractice, practiceEntry, type PracticeOfAuthor } from './requirements.ts';

interface FollowTools extends WritingTools {
  readonly accounts: Pick<DepositAccounts, 'findAccount'>;
}

/**
 * Asks the processor about the practice's account: whether it takes debits, to which bank account or debit card it pays out,
 * and what it needs by when. Records each change, and every admin gets an email about it. Undefined if the practice has no
 * account or the processor does not answer.
 */
export async function followDeposit(
  tools: FollowTools,
  practice: Practice,
  now: number,
): Promise<DepositAccount | undefined> {
  const { database, accounts } = tools;
  const { practiceId, depositAccountId: accountId } = practice;
  const account = accountId === undefined ? undefined : await accounts.findAccount(accountId);
  if (!account) return undefined;
  const author = { kind: 'processor' } as const;
  for (const { action, change, details } of changesIn(practice, account, now)) {
    const entry = practiceEntry(tools, { practiceId, author }, action, now, { accountId, ...details });
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
  // Once the account is stopped, its admins have been told so.
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

interface DepositTools extends FollowTools {
  readonly accounts: DepositAccounts;
  readonly dashboardUrl: string;
}

/** Asks the processor for the state of the practice's deposit account. */
export async function getDeposit(
  tools: FollowTools,
  { practiceId }: { readonly practiceId: string },
  now: number,
): Promise<Deposit> {
  const practice = await requirePractice(tools.database, practiceId);
  if (practice.depositAccountId === undefined) return { status: 'none', needs: [] };
  const account = await followDeposit(tools, practice, now);
  if (!account) throw processorUnavailable();
  const { accountId, bankAccount: bank, needs, deadline } = account;
  const bankAccount = bank && { bankName: bank.bankName, last4: bank.last4 };
  return { status: statusOf(account), accountId, bankAccount, needs: [...needs], deadline };
}

function statusOf({ isReady, isRejected, needs }: DepositAccount): Deposit['status'] {
  if (isRejected) return 'rejected';
  if (isReady) return 'ready';
  return needs.length > 0 ? 'incomplete' : 'in_review';
}

/** Creates the practice's deposit account if it has none. Returns the page where an admin sets it up, which works once. */
export async function startDepositOnboarding(
  tools: DepositTools,
  caller: PracticeOfAuthor,
  now: number,
): Promise<{ url: string }> {
  const { database, accounts, dashboardUrl } = tools;
  const { practiceId } = caller;
  const practice = await requirePractice(database, practiceId);
  const accountId = practice.depositAccountId ?? (await createAccount(tools, caller, now));
  if (practice.depositAccountId !== undefined) await recordOpened(tools, caller, accountId, now);
  const page = `${dashboardUrl}/${practiceId}/settings/practice`;
  const onboarding = {
    accountId,
    // A platform, or a thief of its key, must not send a practice's deposits elsewhere.
    mayChange: practice.depositReadyAt !== undefined && platformOf(caller.author) === undefined,
    returnUrl: `${page}?deposit=returned`,
    refreshUrl: `${page}?deposit=expired`,
  };
  const url = await accounts.startOnboarding(onboarding, now);
  if (url === undefined) throw processorUnavailable();
  return { url };
}

/** If two admins do this at once, the first write wins and the other account stays unused. */
async function createAccount(tools: DepositTools, caller: PracticeOfAuthor, now: number): Promise<string> {
  const { practiceId } = caller;
  const accountId = await tools.accounts.createAccount(practiceId, now);
  if (accountId === undefined) throw processorUnavailable();
  const entry = openedEntry(tools, caller, accountId, now);
  const change = { set: { depositAccountId: accountId }, unless: 'depositAccountId' } as const;
  const { written, row } = await updatePractice(tools.database, practiceId, change, entry);
  if (!row) throw practiceNotFound();
  const { depositAccountId } = row;
  if (depositAccountId === undefined) throw new Fault(`practice ${practiceId} got no deposit account`);
  if (!written) await recordOpened(tools, caller, depositAccountId, now);
  return depositAccountId;
}

async function recordOpened(
  tools: DepositTools,
  caller: PracticeOfAuthor,
  accountId: string,
  now: number,
): Promise<void> {
  await writeAuditEntry(tools.database, openedEntry(tools, caller, accountId, now));
}

function openedEntry(tools: DepositTools, caller: PracticeOfAuthor, accountId: string, now: number) {
  return practiceEntry(tools, caller, 'deposit_destination.opened', now, { accountId });
}

function processorUnavailable(): Problem {
  return new Problem('processor_unavailable', 'Try again in a few minutes.');
}
