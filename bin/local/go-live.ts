import { newAuditEntry } from '../../functions/domain/team/audit-entry.ts';
import { termsVersion } from '../../functions/domain/practices/practice.ts';
import { toIso } from '../../functions/domain/time.ts';
import { getExistingPractice, updatePractice } from '../../functions/store/practices/practices.ts';
import { author } from '../practice/command.ts';
import type { OperatedStack } from '../practice/stack.ts';
import { findDepositAccount } from './deposit-account.ts';
import type { LocalStripe } from './stripe.ts';

/** Gives the demo practice what live payments need. Returns its deposit account. */
export async function goLive(
  { database, randomBytes }: OperatedStack,
  stripe: LocalStripe,
  practiceId: string,
  now: number,
): Promise<{ readonly id: string; readonly charges_enabled?: boolean | undefined }> {
  const practice = await getExistingPractice(database, practiceId);
  const account = await findDepositAccount(stripe, practice.depositAccountId);
  if (practice.depositAccountId === account.id) return account;
  await makeReady({ database, randomBytes }, practiceId, account.id, now);
  return account;
}

export async function makeReady(
  { database, randomBytes }: Pick<OperatedStack, 'database' | 'randomBytes'>,
  practiceId: string,
  depositAccountId: string,
  now: number,
): Promise<void> {
  const at = toIso(now);
  const set = {
    depositAccountId,
    depositReadyAt: at,
    termsAccepted: { version: termsVersion, at, by: author.kind },
  };
  const entry = newAuditEntry(
    { practiceId, author, action: 'practice.updated', target: practiceId, details: { depositAccountId } },
    now,
    randomBytes,
  );
  await updatePractice(database, practiceId, { set }, entry);
}
