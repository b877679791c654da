import type { Deposit } from '../contract/practices/dashboard-going-live.ts';
import { Problem } from '../contract/problem.ts';
import { newAuditEntry, type Audited } from '../domain/team/audit-entry.ts';
import { Fault } from '../domain/fault.ts';
import type { DepositAccount, DepositAccounts } from '../processors/processor.ts';
import { writeAuditEntry } from '../store/team/audit-log.ts';
import { updatePractice } from '../store/practices/practices.ts';
import { followDeposit, type FollowTools } from './follow-deposit.ts';
import { practiceNotFound, requirePractice } from './require-practice.ts';

interface DepositTools extends FollowTools {
  readonly accounts: DepositAccounts;
  readonly dashboardUrl: string;
}

interface OfPractice extends Audited {
  readonly practiceId: string;
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
  caller: OfPractice,
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
    isReady: practice.depositReadyAt !== undefined,
    returnUrl: `${page}?deposit=returned`,
    refreshUrl: `${page}?deposit=expired`,
  };
  const url = await accounts.startOnboarding(onboarding, now);
  if (url === undefined) throw processorUnavailable();
  return { url };
}

/** If two admins do this at once, the first write wins and the other account stays unused. */
async function createAccount(tools: DepositTools, caller: OfPractice, now: number): Promise<string> {
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

async function recordOpened(tools: DepositTools, caller: OfPractice, accountId: string, now: number): Promise<void> {
  await writeAuditEntry(tools.database, openedEntry(tools, caller, accountId, now));
}

function openedEntry(
  { randomBytes }: Pick<DepositTools, 'randomBytes'>,
  { practiceId, author }: OfPractice,
  accountId: string,
  now: number,
) {
  const opened = { practiceId, author, action: 'deposit_destination.opened', target: practiceId } as const;
  return newAuditEntry({ ...opened, details: { accountId } }, now, randomBytes);
}

function processorUnavailable(): Problem {
  return new Problem('processor_unavailable', 'Try again in a few minutes.');
}
