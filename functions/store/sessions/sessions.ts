import * as z from 'zod/mini';
import { due, type DutyName } from '../../domain/due.ts';
import { Fault } from '../../domain/fault.ts';
import { sha256 } from '../../domain/identifier.ts';
import { idempotencyKey, type IdempotencyKey } from '../../domain/idempotency-key.ts';
import { nameKeys, type NameKeys } from '../../domain/sessions/patient-search.ts';
import { invoiceIdentity, type Session, bankDetails } from '../../domain/sessions/session.ts';
import { toIso } from '../../domain/time.ts';
import type { Database } from '../database.ts';
import { earliest, type DueRows } from '../due-index.ts';
import { allOf, expression, oneOf } from '../expressions.ts';
import { putIdempotencyKey, type IdempotentRequest } from '../idempotency-keys.ts';
import { get, getAll, replace, update, type Updated } from '../rows.ts';
import { sessionRow, toSessionRow } from './session-row.ts';
import { transact } from '../transact.ts';
import { putNew, type Change, type Part } from '../writes.ts';
import { endedStatuses } from '../../domain/sessions/retention.ts';
import { updateAudited } from '../team/audit-log.ts';

type Listed = Pick<
  Session,
  'practiceId' | 'status' | 'invoiceId' | 'patient' | 'return' | 'refund' | 'linkRequestedAt'
>;

export function listAttributes(session: Listed) {
  const { practiceId, status, invoiceId, patient } = session;
  return {
    practiceStatus: `${practiceId}#${status}`,
    practiceInvoice: practiceInvoice(practiceId, invoiceId),
    practiceReturned: practiceReturned(session),
    ...(patient && nameKeys(patient)),
  };
}

/** One index lists three kinds of sessions. A session whose patient asked for a new link was never paid. */
export function practiceReturned({ practiceId, return: returned, refund, linkRequestedAt }: Listed) {
  if (linkRequestedAt !== undefined) return withLinkRequest(practiceId);
  if (returned) return practiceId;
  return refund && withRefund(practiceId);
}

export function withLinkRequest(practiceId: string): string {
  return `${practiceId}#link_requested`;
}

/** Includes pending and failed refunds. */
export function withRefund(practiceId: string): string {
  return `${practiceId}#refund`;
}

/** A hash, because an invoice ID can be long and both row and index hold it. */
export function practiceInvoice(practiceId: string, invoiceId: string): string {
  return sha256(`${practiceId}#${invoiceIdentity(invoiceId)}`).slice(0, 22);
}

export async function getSession(database: Database, sessionId: string): Promise<Session | undefined> {
  return get(database, 'sessions', { sessionId }, sessionRow);
}

/** Returns them in the order of the IDs. Leaves out sessions that do not exist. */
export async function getSessions(
  database: Database,
  ids: readonly string[],
  options?: { readonly consistent: boolean },
): Promise<Session[]> {
  const keys = ids.map((sessionId) => ({ sessionId }));
  const rows = await getAll(database, 'sessions', keys, sessionRow, options);
  const byId = new Map(rows.map((row) => [row.sessionId, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export async function getExistingSession(database: Database, sessionId: string): Promise<Session> {
  const found = await getSession(database, sessionId);
  if (!found) throw new Fault(`session ${sessionId} is missing`);
  return found;
}

export async function insertSession(
  database: Database,
  created: Session,
  idempotent: IdempotentRequest | undefined,
  now: number,
  audit?: Part,
): Promise<IdempotencyKey | undefined> {
  const row = {
    ...toSessionRow(created),
    ...listAttributes(created),
    ...due('expiry', created.sessionId, Date.parse(created.expiresAt)),
  };
  if (!idempotent && !audit) {
    // Half the price of a transaction. The condition lets a call repeat its own write, but not undo a later one.
    const condition = expression`attribute_not_exists(sessionId) OR (tokenHash = ${created.tokenHash} AND sequence = ${created.sequence} AND attribute_not_exists(openedAt))`;
    await replace(database, 'sessions', row, condition);
    return undefined;
  }
  const refused = await transact(database, {
    session: putNew(database, 'sessions', row, 'sessionId'),
    key: idempotent && putIdempotencyKey(database, idempotent, now),
    audit,
  });
  if (!refused) return undefined;
  if (!refused.has('key')) throw new Fault('a new id was already taken');
  return z.parse(idempotencyKey, refused.get('key'));
}

/** Moves the expiration of a pending session to an earlier time. */
export async function expireAt(database: Database, sessionId: string, at: number): Promise<void> {
  await updateSession(database, sessionId, {
    set: { expiresAt: toIso(at), ...due('expiry', sessionId, at) },
    condition: expression`status = ${'pending'} AND expiresAt > ${toIso(at)}`,
  });
}

export const isProcessing = expression`status = ${'processing'}`;
const hasNoDebit = expression`attribute_not_exists(debit)`;

export async function recordDebit(database: Database, sessionId: string, debit: NonNullable<Session['debit']>) {
  // Repeats only if a cancellation was requested or withdrawn in between.
  for (;;) {
    const recorded = await updateSession(database, sessionId, {
      set: { debit },
      remove: ['dueShard', 'dueAt', 'taken', 'debitAttempts'],
      condition: allOf(hasNoDebit, expression`attribute_not_exists(cancelRequestedAt)`),
    });
    if (recorded.session.debit) return;
    const added = await updateSession(database, sessionId, {
      set: { debit },
      remove: ['debitAttempts'],
      condition: allOf(hasNoDebit, expression`attribute_exists(cancelRequestedAt)`),
    });
    if (added.session.debit) return;
  }
}

export async function rescheduleDebit(database: Database, sessionId: string, retryAt: number): Promise<void> {
  await updateSession(database, sessionId, {
    set: due('debit', sessionId, retryAt),
    add: { debitAttempts: 1 },
    condition: allOf(isProcessing, hasNoDebit, expression`attribute_not_exists(cancelRequestedAt)`),
  });
}

const sessionKey = z.object({ sessionId: z.string() });

export function dueSessions(
  database: Database,
  duty: DutyName & ('expiry' | 'debit' | 'cancellation' | 'refund'),
): DueRows<typeof sessionKey> {
  return { database, table: 'sessions', duty, key: sessionKey };
}

export async function oldestUnsubmittedDebit(database: Database): Promise<string | undefined> {
  return earliest(dueSessions(database, 'debit'), 'processingAt');
}

export async function oldestOpenCancellation(database: Database): Promise<string | undefined> {
  return earliest(dueSessions(database, 'cancellation'), 'cancelRequestedAt');
}

export type Stored = Session & NameKeys & { readonly practiceReturned?: string };

export async function updateSession(database: Database, sessionId: string, change: Change<Stored>) {
  const { written, row } = await update(database, 'sessions', { sessionId }, change, sessionRow);
  if (!row) throw new Fault(`there is no session ${sessionId}`);
  return { written, session: row };
}

/** Removes the patient's details from a session that has ended. Idempotent. */
export async function scrubSession(database: Database, sessionId: string, now: number): Promise<Session> {
  return (await updateSession(database, sessionId, scrubbing(now))).session;
}

export async function scrubAudited(
  database: Database,
  sessionId: string,
  now: number,
  audit: Part,
): Promise<Updated<Session>> {
  return updateAudited(database, 'sessions', { sessionId }, scrubbing(now), sessionRow, audit);
}

function scrubbing(now: number): Change<Stored> {
  return {
    set: { scrubbedAt: toIso(now), metadata: {} },
    remove: ['patient', 'lastFirst', 'firstLast', 'lastWordFirst', 'returnUrl', ...bankDetails],
    condition: allOf(expression`status IN ${oneOf(endedStatuses)}`, expression`attribute_not_exists(scrubbedAt)`),
  };
}
