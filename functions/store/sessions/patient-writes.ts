import { due } from '../../domain/due.ts';
import {
  extendedExpiry,
  extensionLimit,
  maximumExtensions,
  type OpenedSession,
} from '../../domain/sessions/extension.ts';
import {
  maximumBankConnectionAttempts,
  maximumPickerStarts,
  sessionExpiry,
  type Session,
} from '../../domain/sessions/session.ts';
import { toIso } from '../../domain/time.ts';
import type { Database } from '../database.ts';
import { allOf, expression, type Expression } from '../expressions.ts';
import { updateSession } from './sessions.ts';
import type { Change } from '../writes.ts';

type Sessions = Database<'sessions'>;

const hasAttemptsLeft = expression`bankConnectionAttempts < ${maximumBankConnectionAttempts}`;
const hasStartsLeft = expression`attribute_not_exists(pickerStarts) OR pickerStarts < ${maximumPickerStarts}`;

/** Undefined if the patient's link was replaced: nothing is written, and they may no longer see the session. */
export type PatientWrite = { readonly written: boolean; readonly session: Session } | undefined;

export async function recordOpen(database: Sessions, current: Session, sessionLifetimeSeconds: number, now: number) {
  const expiresAt = sessionExpiry(now, sessionLifetimeSeconds);
  const limit = extensionLimit(now, expiresAt, Date.parse(current.expiresAt));
  return writeThroughLink(database, current, {
    set: {
      openedAt: toIso(now),
      expiresAt: toIso(expiresAt),
      extensionLimit: limit < maximumExtensions ? limit : undefined,
      ...due('expiry', current.sessionId, expiresAt),
    },
    condition: allOf(expression`attribute_not_exists(openedAt)`, pendingAt(now)),
  });
}

/** Concurrent requests that read the same `expiresAt` extend the session once. */
export async function recordExtension(database: Sessions, current: OpenedSession, now: number): Promise<PatientWrite> {
  const { sessionId, extensions = 0 } = current;
  const expiresAt = extendedExpiry(current);
  return writeThroughLink(database, current, {
    set: {
      expiresAt: toIso(expiresAt),
      extensions: extensions + 1,
      extendedAt: toIso(now),
      ...due('expiry', sessionId, expiresAt),
    },
    condition: allOf(expression`expiresAt = ${current.expiresAt}`, pendingAt(now)),
  });
}

/** Counts a refused sign-in. Not written after the fifth: the caller must then hide the bank's answer. */
export async function countBankConnectionAttempt(database: Sessions, current: Session, now: number) {
  return writeThroughLink(database, current, {
    set: { bankConnectionAttempts: expression`bankConnectionAttempts + ${1}` },
    condition: allOf(hasAttemptsLeft, pendingAt(now)),
  });
}

/** Counts a start of the picker. Not written after the last one: the caller must then hide the connection. */
export async function recordBankConnection(
  database: Sessions,
  current: Session,
  bankConnectionId: string,
  now: number,
): Promise<PatientWrite> {
  return writeThroughLink(database, current, {
    set: { bankConnectionId },
    add: { pickerStarts: 1 },
    condition: allOf(hasStartsLeft, pendingAt(now)),
  });
}

export async function connectBankAccount(
  database: Sessions,
  current: Session,
  connection: Required<Pick<Session, 'bankAccount' | 'processorAccount' | 'authorizationTemplate' | 'payee'>>,
  now: number,
): Promise<PatientWrite> {
  return writeThroughLink(database, current, {
    set: { ...connection, bankConnectedAt: toIso(now) },
    condition: allOf(hasAttemptsLeft, pendingAt(now)),
  });
}

/** Not written if no bank is connected. */
export async function recordPayer(
  database: Sessions,
  current: Session,
  payer: Required<Pick<Session, 'payerName' | 'authorizationTemplate'>>,
  now: number,
): Promise<PatientWrite> {
  return writeThroughLink(database, current, {
    set: payer,
    condition: allOf(expression`attribute_exists(bankAccount)`, pendingAt(now)),
  });
}

/** Written once per session, so that a copy is mailed at most once. */
export async function recordCopyRequest(database: Sessions, current: Session, now: number): Promise<PatientWrite> {
  return writeThroughLink(database, current, {
    set: { copyRequestedAt: toIso(now) },
    condition: allOf(expression`attribute_exists(processingAt)`, expression`attribute_not_exists(copyRequestedAt)`),
  });
}

async function writeThroughLink(
  database: Sessions,
  { sessionId, tokenHash }: Session,
  { condition, ...changes }: Change<Session>,
): Promise<PatientWrite> {
  const heldLink = expression`tokenHash = ${tokenHash}`;
  const result = await updateSession(database, sessionId, { ...changes, condition: allOf(heldLink, condition) });
  return result.session.tokenHash === tokenHash ? result : undefined;
}

function pendingAt(now: number): Expression {
  return expression`status = ${'pending'} AND expiresAt > ${toIso(now)}`;
}
