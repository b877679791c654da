import * as z from 'zod/mini';
import { due } from '../../domain/due.ts';
import { Fault } from '../../domain/fault.ts';
import {
  sandboxDebit,
  type EnteredDebit,
  type SandboxDebit,
  type SandboxRefund,
} from '../../domain/payments/sandbox-bank.ts';
import { toIso } from '../../domain/time.ts';
import type { Database } from '../database.ts';
import type { DueRows } from '../due-index.ts';
import { allOf, expression, isStill } from '../expressions.ts';
import { get, insert, update } from '../rows.ts';
import type { Change } from '../writes.ts';

export async function enterSandboxDebit(
  database: Database,
  { sessionId, username, amountCents }: { sessionId: string; username: string; amountCents: number },
  now: number,
  outcomeAt: number | undefined,
): Promise<SandboxDebit> {
  const row: SandboxDebit = {
    sessionId,
    debit: { username, amountCents, submittedAt: toIso(now) },
    ...(outcomeAt !== undefined && due('outcome', sessionId, outcomeAt)),
  };
  if (await insert(database, 'sandboxDebits', row, 'sessionId')) return row;
  const entered = await getSandboxDebit(database, sessionId);
  if (!entered) throw new Fault(`the sandbox debit of ${sessionId} vanished`);
  return entered;
}

export async function getSandboxDebit(database: Database, sessionId: string): Promise<SandboxDebit | undefined> {
  return get(database, 'sandboxDebits', { sessionId }, sandboxDebit);
}

export async function voidSandboxDebit(
  database: Database,
  sessionId: string,
  read: SandboxDebit | undefined,
  now: number,
): Promise<boolean> {
  if (!read) return insert(database, 'sandboxDebits', { sessionId, voidedAt: toIso(now) }, 'sessionId');
  return updateDebit(database, sessionId, {
    set: { voidedAt: toIso(now) },
    remove: ['dueShard', 'dueAt'],
    condition: allOf(notVoided, expression`attribute_not_exists(reportedAt)`),
  });
}

/** False if a void or an advance changed the debit. */
export async function reportSandboxOutcome(
  database: Database,
  { sessionId, debit: { advanced } }: SandboxDebit & { readonly debit: EnteredDebit },
  now: number,
): Promise<boolean> {
  return updateDebit(database, sessionId, {
    set: { reportedAt: expression`if_not_exists(reportedAt, ${toIso(now)})` },
    condition: allOf(notVoided, isStill('debit.advanced', advanced)),
  });
}

/** False if a void, a report or another caller changed the debit. */
export async function advanceSandboxDebit(
  database: Database,
  { sessionId, debit: read, reportedAt }: SandboxDebit & { readonly debit: EnteredDebit },
  debit: EnteredDebit,
  now: number,
): Promise<boolean> {
  return updateDebit(database, sessionId, {
    set: {
      debit,
      reportedAt: expression`if_not_exists(reportedAt, ${toIso(now)})`,
      // Due until the outcome is recorded, so that a crash does not lose it.
      ...due('outcome', sessionId, now),
    },
    condition: allOf(notVoided, expression`debit = ${read}`, isStill('reportedAt', reportedAt)),
  });
}

/** False if a void or another refund changed the debit. `dueAt` is when its next outcome is due. */
export async function addSandboxRefund(
  database: Database,
  { sessionId, refunds = [] }: SandboxDebit,
  refund: SandboxRefund,
  dueAt: number,
): Promise<boolean> {
  return updateDebit(database, sessionId, {
    set: { refunds: [...refunds, refund], ...due('outcome', sessionId, dueAt) },
    condition: allOf(notVoided, refundsAreStill(refunds)),
  });
}

/** False if a void or a refund changed the debit. */
export async function rescheduleOutcome(
  database: Database,
  { sessionId, refunds = [] }: SandboxDebit,
  outcomeAt: number | undefined,
): Promise<boolean> {
  return updateDebit(database, sessionId, {
    ...(outcomeAt === undefined ? { remove: ['dueShard', 'dueAt'] } : { set: due('outcome', sessionId, outcomeAt) }),
    condition: allOf(notVoided, refundsAreStill(refunds)),
  });
}

/** Refunds are only added. */
function refundsAreStill(refunds: readonly SandboxRefund[]) {
  return refunds.length === 0
    ? expression`attribute_not_exists(refunds)`
    : expression`size(refunds) = ${refunds.length}`;
}

const notVoided = expression`attribute_exists(debit) AND attribute_not_exists(voidedAt)`;

async function updateDebit(database: Database, sessionId: string, change: Change<SandboxDebit>): Promise<boolean> {
  const { written } = await update(database, 'sandboxDebits', { sessionId }, change, sandboxDebit);
  return written;
}

const debitKey = z.object({ sessionId: z.string() });

export function dueOutcomes(database: Database): DueRows<typeof debitKey> {
  return { database, table: 'sandboxDebits', duty: 'outcome', key: debitKey };
}
