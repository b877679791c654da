import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { due, ticketGrace, type DueWork } from '../domain/due.ts';
import type { IdempotencyKey } from '../domain/idempotency-key.ts';
import { maximumBankConnectionAttempts, session, sessionExpiry, type Session } from '../domain/session.ts';
import { toIso } from '../domain/time.ts';
import { transactWrite, updateExpression, updateUnlessRefused, type Database } from './database.ts';
import { earliest, type DueRows } from './due-index.ts';
import { parseIdempotencyKey, putIdempotencyKey, type IdempotentRequest } from './idempotency-keys.ts';
import { Fault } from '../domain/fault.ts';

type Sessions = Database<'sessions'>;

export function parseSession(row: unknown): Session {
  return z.parse(session, row);
}

/** The attributes by which a session is found in lists; see `session-list.ts`. */
export function listAttributes({
  practiceId,
  status,
  invoiceId,
}: Pick<Session, 'practiceId' | 'status' | 'invoiceId'>): { practiceStatus: string; practiceInvoice: string } {
  return { practiceStatus: `${practiceId}#${status}`, practiceInvoice: `${practiceId}#${invoiceId}` };
}

/** A session as it is stored, read strongly; see `withExpiry` for what readers are shown. */
export async function getSession(database: Sessions, sessionId: string): Promise<Session | undefined> {
  const { Item } = await database.client.send(
    new GetCommand({ TableName: database.tables.sessions, Key: { sessionId }, ConsistentRead: true }),
  );
  return Item && parseSession(Item);
}

/** Like `getSession`, for an id that a row or ticket of ours holds; throws where it is missing. */
export async function requireSession(database: Sessions, sessionId: string): Promise<Session> {
  const found = await getSession(database, sessionId);
  if (!found) throw new Fault(`session ${sessionId} is missing`);
  return found;
}

/**
 * Stores a new session and, with it or not at all, its idempotency key.
 * Returns the key's record where an earlier request holds the key; nothing is written then.
 */
export async function createSession(
  database: Database<'sessions' | 'idempotencyKeys'>,
  created: Session,
  idempotent: IdempotentRequest | undefined,
  now: number,
): Promise<IdempotencyKey | undefined> {
  const put = {
    Put: {
      TableName: database.tables.sessions,
      Item: {
        ...created,
        // The marshaller takes an object for plain by its `constructor`, and metadata may have a key of that name.
        metadata: new Map(Object.entries(created.metadata)),
        ...listAttributes(created),
        ...due('expiry', created.sessionId, Date.parse(created.expiresAt)),
      },
      ConditionExpression: 'attribute_not_exists(sessionId)',
    },
  };
  const refusals = await transactWrite(
    database,
    idempotent ? [put, putIdempotencyKey(database, idempotent, now)] : [put],
  );
  if (!refusals) return undefined;
  const held = refusals[1];
  if (!held?.conditionFailed) throw new Fault('a new session id was already taken');
  return parseIdempotencyKey(held.row);
}

/** Runs a conditional update; gives the row after it, or, refused, the row that refused it. */
async function updateSession(
  database: Sessions,
  sessionId: string,
  update: {
    UpdateExpression: string;
    ConditionExpression: string;
    ExpressionAttributeNames?: Record<string, string>;
    ExpressionAttributeValues: Record<string, unknown>;
  },
): Promise<{ written: boolean; session: Session }> {
  const { written, row } = await updateUnlessRefused(database, {
    TableName: database.tables.sessions,
    Key: { sessionId },
    ...update,
  });
  if (row === undefined) throw new Fault(`there is no session ${sessionId}`);
  return { written, session: parseSession(row) };
}

const stillPending = '#status = :pending AND expiresAt > :now';

/** Registers the patient's first open, from which the session's lifetime counts. Any later call changes nothing. */
export async function openSession(
  database: Sessions,
  opened: Session,
  sessionLifetimeSeconds: number,
  now: number,
): Promise<Session> {
  const expiresAt = sessionExpiry(now, sessionLifetimeSeconds);
  const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = updateExpression({
    openedAt: toIso(now),
    expiresAt: toIso(expiresAt),
    ...due('expiry', opened.sessionId, expiresAt),
  });
  const result = await updateSession(database, opened.sessionId, {
    UpdateExpression,
    ConditionExpression: `attribute_not_exists(openedAt) AND ${stillPending}`,
    ExpressionAttributeNames: { ...ExpressionAttributeNames, '#status': 'status' },
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':pending': 'pending', ':now': toIso(now) },
  });
  return result.session;
}

/** Takes one of the patient's bank sign-in attempts before the bank is asked; refused when none is left or the session is over. */
export async function takeBankConnectionAttempt(
  database: Sessions,
  sessionId: string,
  now: number,
): Promise<{ written: boolean; session: Session }> {
  return updateSession(database, sessionId, {
    UpdateExpression: 'SET bankConnectionAttempts = bankConnectionAttempts + :one',
    ConditionExpression: `bankConnectionAttempts < :maximum AND ${stillPending}`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':one': 1,
      ':maximum': maximumBankConnectionAttempts,
      ':pending': 'pending',
      ':now': toIso(now),
    },
  });
}

/** Gives an attempt back that was not the patient's fault. */
export async function returnBankConnectionAttempt(database: Sessions, sessionId: string): Promise<void> {
  await updateSession(database, sessionId, {
    UpdateExpression: 'SET bankConnectionAttempts = bankConnectionAttempts - :one',
    ConditionExpression: 'bankConnectionAttempts >= :one',
    ExpressionAttributeValues: { ':one': 1 },
  });
}

/** Stores the connected account, and the authorization texts made for it with the practice as they name it, in place of any before, and gives the attempt back. */
export async function connectBankAccount(
  database: Sessions,
  sessionId: string,
  connection: Required<Pick<Session, 'bankAccount' | 'processorAccount' | 'payee' | 'offeredAuthorizations'>>,
  now: number,
): Promise<{ written: boolean; session: Session }> {
  return updateSession(database, sessionId, {
    UpdateExpression:
      'SET bankAccount = :bankAccount, processorAccount = :processorAccount, payee = :payee, offeredAuthorizations = :offeredAuthorizations, bankConnectionAttempts = bankConnectionAttempts - :one',
    ConditionExpression: stillPending,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':bankAccount': connection.bankAccount,
      ':processorAccount': connection.processorAccount,
      ':payee': connection.payee,
      ':offeredAuthorizations': connection.offeredAuthorizations,
      ':one': 1,
      ':pending': 'pending',
      ':now': toIso(now),
    },
  });
}

/**
 * Records that the processor has taken the debit, which ends the sweep's interest in it, but not in a cancellation.
 * A settlement may have come before.
 */
export async function recordDebit(
  database: Sessions,
  sessionId: string,
  debit: NonNullable<Session['debit']>,
): Promise<void> {
  // Again only where a cancellation was requested or withdrawn in between.
  for (;;) {
    const recorded = await updateSession(database, sessionId, {
      UpdateExpression: 'SET debit = :debit REMOVE dueShard, dueAt',
      ConditionExpression: 'attribute_not_exists(debit) AND attribute_not_exists(cancelRequestedAt)',
      ExpressionAttributeValues: { ':debit': debit },
    });
    if (recorded.written || recorded.session.debit) return;
    const added = await updateSession(database, sessionId, {
      UpdateExpression: 'SET debit = :debit',
      ConditionExpression: 'attribute_not_exists(debit) AND attribute_exists(cancelRequestedAt)',
      ExpressionAttributeValues: { ':debit': debit },
    });
    if (added.written || added.session.debit) return;
  }
}

/** Notes a try to submit the debit that had no clear answer, and when the sweep is to try again. */
export async function rescheduleDebit(database: Sessions, sessionId: string, retryAt: number): Promise<void> {
  const { dueShard, dueAt } = due('debit', sessionId, retryAt);
  await updateSession(database, sessionId, {
    UpdateExpression: 'SET debitAttempts = debitAttempts + :one, dueShard = :dueShard, dueAt = :dueAt',
    ConditionExpression:
      '#status = :processing AND attribute_not_exists(debit) AND attribute_not_exists(cancelRequestedAt)',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':one': 1, ':dueShard': dueShard, ':dueAt': dueAt, ':processing': 'processing' },
  });
}

/** Notes that a processing session is to be cancelled, for the sweep to insist on; a request that stands keeps its time. */
export async function requestCancellation(
  database: Sessions,
  sessionId: string,
  now: number,
): Promise<{ written: boolean; session: Session }> {
  const { dueShard, dueAt } = due('cancellation', sessionId, now + ticketGrace);
  return updateSession(database, sessionId, {
    UpdateExpression:
      'SET cancelRequestedAt = if_not_exists(cancelRequestedAt, :now), dueShard = :dueShard, dueAt = :dueAt',
    ConditionExpression: '#status = :processing',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':now': toIso(now),
      ':dueShard': dueShard,
      ':dueAt': dueAt,
      ':processing': 'processing',
    },
  });
}

/** Gives a cancellation up, as the bank has the debit; one that is not recorded, also not since `session` was read, is due for submission again. */
export async function withdrawCancellation(
  database: Sessions,
  { sessionId, processingAt = '' }: Session,
): Promise<void> {
  const { dueShard, dueAt } = due('debit', sessionId, Date.parse(processingAt));
  const withdrawn = await updateSession(database, sessionId, {
    UpdateExpression: 'SET dueShard = :dueShard, dueAt = :dueAt REMOVE cancelRequestedAt',
    ConditionExpression: '#status = :processing AND attribute_not_exists(debit)',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':processing': 'processing', ':dueShard': dueShard, ':dueAt': dueAt },
  });
  if (withdrawn.written || !withdrawn.session.debit) return;
  await updateSession(database, sessionId, {
    UpdateExpression: 'REMOVE cancelRequestedAt, dueShard, dueAt',
    ConditionExpression: '#status = :processing',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':processing': 'processing' },
  });
}

const sessionKey = z.object({ sessionId: z.string() });

export function dueSessions(
  database: Sessions,
  work: DueWork & ('expiry' | 'debit' | 'cancellation'),
): DueRows<typeof sessionKey> {
  return { table: database.tables.sessions, work, key: sessionKey };
}

/** When the payment was authorized whose debit has waited longest for the processor to take it, or undefined where none waits. */
export async function oldestUnsubmittedDebit(database: Sessions): Promise<string | undefined> {
  return earliest(database, dueSessions(database, 'debit'), 'processingAt');
}

/** When the cancellation was requested that has waited longest for the processor's answer, or undefined where none waits. */
export async function oldestOpenCancellation(database: Sessions): Promise<string | undefined> {
  return earliest(database, dueSessions(database, 'cancellation'), 'cancelRequestedAt');
}
