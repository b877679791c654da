import { due } from '../../domain/due.ts';
import { extendedExpiry, extensionLimit, maximumExtensions, type OpenedSession } from '../../domain/sessions/links.ts';
import {
  maximumBankConnectionAttempts,
  maximumPickerStarts,
  sessionExpiry,
  type Session,
} from '../../domain/sessions/session.ts';
import { toIso } from '../../domain/time.ts';
import type { Database } from '../database.ts';
import { allOf, expression, type Expression } from '../expressions.ts';
import { transact } from '../transact.ts';
import { putEvent } from '../webhooks/events.ts';
import { change, type Change } from '../writes.ts';
import { updateSession } from './sessions.ts';

const hasAttemptsLeft = expression`bankConnectionAttempts < ${maximumBankConnectionAttempts}`;
const hasStartsLeft = expression`attribute_not_exists(pickerStarts) OR pickerStarts < ${maximumPickerStarts}`;

/** Undefined if the patient's link was replaced: nothing is written, and they may no longer see the session. */
export type PatientWrite = { readonly written: boolean; readonly session: Session } | undefined;

export async function recordOpen(
  database: Database,
  current: Session,
  sessionLifetimeSeconds: number,
  now: number,
): Promise<PatientWrite> {
  return writeThroughLink(database, current, opening(current, sessionLifetimeSeconds, now));
}

/** Also writes the open event, but not a second time if the link was replaced since then and the new one is opened. */
export async function recordOpenWithEvent(
  database: Database,
  current: Session,
  sessionLifetimeSeconds: number,
  now: number,
): Promise<PatientWrite> {
  const { sessionId } = current;
  const { set, condition } = opening(current, sessionLifetimeSeconds, now);
  const opened = { ...current, ...set };
  const refused = await transact(database, {
    session: change(database, 'sessions', { sessionId }, { set, condition: throughLink(current, condition) }),
    event: putEvent(database, 'session.payment.opened', opened, undefined, now),
  });
  return refused ? recordOpen(database, current, sessionLifetimeSeconds, now) : { written: true, session: opened };
}

function opening(current: Session, sessionLifetimeSeconds: number, now: number) {
  const expiresAt = sessionExpiry(now, sessionLifetimeSeconds);
  const limit = extensionLimit(now, expiresAt, Date.parse(current.expiresAt));
  return {
    set: {
      openedAt: toIso(now),
      expiresAt: toIso(expiresAt),
      ...(limit < maximumExtensions && { extensionLimit: limit }),
      ...due('expiry', current.sessionId, expiresAt),
    },
    condition: allOf(expression`attribute_not_exists(openedAt)`, pendingAt(now)),
  };
}

/** Concurrent requests that read the same `expiresAt` extend the session once. */
export async function recordExtension(database: Database, current: OpenedSession, now: number): Promise<PatientWrite> {
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
export async function countBankConnectionAttempt(database: Database, current: Session, now: number) {
  return writeThroughLink(database, current, {
    set: { bankConnectionAttempts: expression`bankConnectionAttempts + ${1}` },
    condition: allOf(hasAttemptsLeft, pendingAt(now)),
  });
}

/** Counts a start of the picker. Not written after the last one: the caller must then hide the connection. */
export async function recordBankConnection(
  database: Database,
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
  database: Database,
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
  database: Database,
  current: Session,
  payerName: string,
  now: number,
): Promise<PatientWrite> {
  return writeThroughLink(database, current, {
    set: { payerName },
    condition: allOf(expression`attribute_exists(bankAccount)`, pendingAt(now)),
  });
}

/** Written once per session, so that a copy is emailed at most once. */
export async function recordCopyRequest(database: Database, current: Session, now: number): Promise<PatientWrite> {
  return writeThroughLink(database, current, {
    set: { copyRequestedAt: toIso(now) },
    condition: allOf(expression`attribute_exists(processingAt)`, expression`attribute_not_exists(copyRequestedAt)`),
  });
}

async function writeThroughLink(
  database: Database,
  current: Session,
  { condition, ...changes }: Change<Session>,
): Promise<PatientWrite> {
  const { sessionId, tokenHash } = current;
  const result = await updateSession(database, sessionId, { ...changes, condition: throughLink(current, condition) });
  return result.session.tokenHash === tokenHash ? result : undefined;
}

function throughLink({ tokenHash }: Session, condition: Expression | undefined): Expression | undefined {
  return allOf(expression`tokenHash = ${tokenHash}`, condition);
}

function pendingAt(now: number): Expression {
  return expression`status = ${'pending'} AND expiresAt > ${toIso(now)}`;
}
