import type { Deposit } from '../contract/dashboard-api/get-deposit.ts';
import { Problem } from '../contract/problems.ts';
import { newAuditEntry, type AuditAction, type Audited } from '../domain/audit-entry.ts';
import { Fault } from '../domain/fault.ts';
import type { RandomBytes } from '../domain/identifier.ts';
import type { Practice } from '../domain/practice.ts';
import { toIso } from '../domain/time.ts';
import type { DepositAccount, DepositAccounts } from '../processors/processor.ts';
import { writeAuditEntry } from '../store/audit-log.ts';
import type { Database } from '../store/database.ts';
import { updatePractice } from '../store/practices.ts';
import { practiceNotFound, requirePractice } from './require-practice.ts';

interface DepositTools {
  readonly database: Database<'practices' | 'auditLog'>;
  readonly accounts: DepositAccounts;
  readonly dashboardUrl: string;
  readonly randomBytes: RandomBytes;
}

interface OfPractice extends Audited {
  readonly practiceId: string;
}

/** Asks the processor, and records whether the account is ready. */
export async function getDeposit(tools: DepositTools, caller: OfPractice, now: number): Promise<Deposit> {
  const practice = await requirePractice(tools.database, caller.practiceId);
  if (practice.depositAccountId === undefined) return { status: 'none', needs: [] };
  const account = await tools.accounts.findAccount(practice.depositAccountId);
  if (!account) throw processorUnavailable();
  await recordReadiness(tools, caller, practice, account, now);
  const { accountId, bankAccount, needs } = account;
  return { status: statusOf(account), accountId, bankAccount, needs: [...needs] };
}

function statusOf({ isReady, needs }: DepositAccount): Deposit['status'] {
  if (isReady) return 'ready';
  return needs.length > 0 ? 'incomplete' : 'in_review';
}

async function recordReadiness(
  tools: DepositTools,
  caller: OfPractice,
  { practiceId, depositReadyAt }: Practice,
  { accountId, isReady }: DepositAccount,
  now: number,
): Promise<void> {
  if (isReady === (depositReadyAt !== undefined)) return;
  const change = isReady
    ? ({ set: { depositReadyAt: toIso(now) }, unless: 'depositReadyAt' } as const)
    : ({ set: {}, remove: ['depositReadyAt'], requires: 'depositReadyAt' } as const);
  const details = { accountId, ready: isReady ? 'yes' : 'no' };
  const entry = depositEntry(tools, caller, 'deposit_destination.changed', details, now);
  await updatePractice(tools.database, practiceId, change, entry);
}

/** Creates the practice's account if it has none. Returns where an admin sets it up; that page works once. */
export async function startDepositOnboarding(
  tools: DepositTools,
  caller: OfPractice,
  now: number,
): Promise<{ url: string }> {
  const { database, accounts, dashboardUrl } = tools;
  const { practiceId } = caller;
  const practice = await requirePractice(database, practiceId);
  const accountId = practice.depositAccountId ?? (await createAccount(tools, caller, now));
  if (practice.depositAccountId !== undefined)
    await writeAuditEntry(database, depositEntry(tools, caller, 'deposit_destination.opened', { accountId }, now));
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

/** Of two admins at once, the first wins: the other's account stays unused. */
async function createAccount(tools: DepositTools, caller: OfPractice, now: number): Promise<string> {
  const { practiceId } = caller;
  const accountId = await tools.accounts.createAccount(practiceId, now);
  if (accountId === undefined) throw processorUnavailable();
  const entry = depositEntry(tools, caller, 'deposit_destination.opened', { accountId }, now);
  const change = { set: { depositAccountId: accountId }, unless: 'depositAccountId' } as const;
  const { row } = await updatePractice(tools.database, practiceId, change, entry);
  if (!row) throw practiceNotFound();
  if (row.depositAccountId === undefined) throw new Fault(`practice ${practiceId} got no deposit account`);
  return row.depositAccountId;
}

function depositEntry(
  { randomBytes }: Pick<DepositTools, 'randomBytes'>,
  { practiceId, author }: OfPractice,
  action: Extract<AuditAction, `deposit_destination.${string}`>,
  details: Readonly<Record<string, string>>,
  now: number,
) {
  return newAuditEntry({ practiceId, author, action, target: practiceId, details }, now, randomBytes);
}

function processorUnavailable(): Problem {
  return new Problem('processor_unavailable', 'Nothing was changed. Try again in a few minutes.');
}
