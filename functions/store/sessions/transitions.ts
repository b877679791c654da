import * as z from 'zod/mini';
import type { DebitReturn, Failure } from '../../domain/payments/debit.ts';
import { due, ticketGrace } from '../../domain/due.ts';
import { sessionEventId } from '../../domain/webhooks/event.ts';
import type { Evidence } from '../../domain/payments/evidence.ts';
import { Fault } from '../../domain/fault.ts';
import { transitionTime, type Session } from '../../domain/sessions/session.ts';
import { toIso } from '../../domain/time.ts';
import { transitions, type TransitionName } from '../../domain/sessions/transitions.ts';
import { logInfo } from '../../log.ts';
import { putEvidence } from '../payments/authorizations.ts';
import type { CancellationParts } from './cancellations.ts';
import type { Database } from '../database.ts';
import { putEvent } from '../webhooks/events.ts';
import { allOf, expression, isStill, oneOf, type Expression } from '../expressions.ts';
import { claimInvoice, releaseInvoice } from '../payments/invoice-claims.ts';
import { sessionRow } from './session-row.ts';
import { listAttributes } from './sessions.ts';
import { transact } from '../transact.ts';
import { change, type Part } from '../writes.ts';

/** `changed`: nothing was written, because the session is no longer as it was read. */
export interface Moved {
  readonly result: 'written' | 'changed';
  readonly session: Session;
}

/** Another session claims the invoice, or this one was authorized before. */
interface Claimed {
  readonly result: 'claimed';
}

interface KeyReused {
  readonly result: 'key_reused';
}

/** Attributes that an ended session no longer needs. */
const removedWhenEnded = ['dueShard', 'dueAt', 'taken', 'cancelRequestedAt', 'processorAccount'] as const;

/** Attributes that an authorized session no longer needs. */
const removedWhenAuthorized = [
  'payee',
  'payerName',
  'authorizationTemplate',
  'bankConnectionId',
  'bankConnectionAttempts',
  'pickerStarts',
  'extensionLimit',
] as const;

export async function writeAuthorization(
  database: Database,
  current: Session,
  authorization: {
    bankConnectedAt: string;
    evidence: Omit<Evidence, 'authorizedAt'>;
    guardInvoice: boolean;
    now: number;
  },
): Promise<Moved | Claimed> {
  const { bankConnectedAt, evidence, guardInvoice, now } = authorization;
  const at = transitionTime(current, now);
  const written = await writeTransition(database, current, 'authorize', {
    at,
    set: {
      processingAt: toIso(at),
      claimsInvoice: guardInvoice,
      ...due('debit', current.sessionId, at + ticketGrace),
    },
    remove: removedWhenAuthorized,
    condition: allOf(
      expression`tokenHash = ${current.tokenHash}`,
      expression`expiresAt > ${toIso(now)}`,
      // Refuses if another bank was connected since: the accepted text was rendered from `current`.
      expression`bankConnectedAt = ${bankConnectedAt}`,
      // Tells apart two connections made in the same millisecond.
      expression`processorAccount = ${evidence.processorAccount}`,
      isStill('payerName', current.payerName),
    ),
    claim: guardInvoice ? claimInvoice(database, current) : undefined,
    evidence: putEvidence(database, { ...evidence, authorizedAt: toIso(at) }),
  });
  return written.result === 'claimed' ? written : moved(written);
}

export async function writeSettlement(database: Database, current: Session, now: number): Promise<Moved> {
  const at = transitionTime(current, now);
  const ending = { at, set: { settledAt: toIso(at) }, remove: removedWhenEnded };
  return moved(await writeTransition(database, current, 'settle', ending));
}

export async function writeFailure(database: Database, current: Session, failure: Failure, now: number) {
  const at = transitionTime(current, now);
  const ending = { at, set: { failedAt: toIso(at), failure }, remove: removedWhenEnded };
  return moved(await writeRelease(database, current, 'fail', ending));
}

export async function writeReturn(
  database: Database,
  current: Session,
  returned: Omit<DebitReturn, 'returnedAt'>,
  now: number,
): Promise<Moved> {
  const at = transitionTime(current, now);
  const isUnscrubbed = current.scrubbedAt === undefined ? expression`attribute_not_exists(scrubbedAt)` : undefined;
  const ending = {
    at,
    set: { return: { ...returned, returnedAt: toIso(at) } },
    remove: ['claimsInvoice'] as const,
    condition: allOf(expression`attribute_not_exists(return)`, isUnscrubbed),
  };
  const written = moved(await writeRelease(database, current, 'return', ending));
  // The session was scrubbed in between: the event must not bring the metadata back.
  return isUnscrubbed && written.session.scrubbedAt !== undefined
    ? writeReturn(database, written.session, returned, now)
    : written;
}

export async function writeCancellation(database: Database, current: Session, now: number): Promise<Moved> {
  return moved(await writeCancellationWith(database, current, {}, now));
}

/** Writes `parts` too. `key_reused`: nothing was written. */
export async function writeCancellationWith(
  database: Database,
  current: Session,
  parts: CancellationParts,
  now: number,
): Promise<Moved | KeyReused> {
  const at = transitionTime(current, now);
  const written = await writeRelease(database, current, 'cancel', {
    at,
    set: { cancelledAt: toIso(at), cancellation: { reason: 'requested_by_practice' } },
    remove: removedWhenEnded,
    ...parts,
    ...(current.status === 'pending' && { condition: expression`expiresAt > ${toIso(now)}` }),
  });
  return written.result === 'key_reused' ? written : moved(written);
}

export async function writeExpiry(database: Database, current: Session, now: number) {
  const written = await writeTransition(database, current, 'expire', {
    at: Date.parse(current.expiresAt),
    writtenAt: now,
    set: { cancelledAt: current.expiresAt, cancellation: { reason: 'expired' } },
    remove: removedWhenEnded,
    condition: expression`expiresAt = ${current.expiresAt}`,
  });
  return moved(written);
}

/** The caller must have read an expired session whose patient has not asked within a day. */
export async function writeLinkRequest(database: Database, current: Session, now: number): Promise<Moved> {
  const { tokenHash, expiresAt, linkRequestedAt: last = expiresAt } = current;
  const at = Math.max(now, Date.parse(last) + 1);
  const written = await writeTransition(database, current, 'requestLink', {
    at,
    set: { linkRequestedAt: toIso(at), linkRequestedThrough: tokenHash },
    condition: allOf(expression`tokenHash = ${tokenHash}`, expression`attribute_not_exists(scrubbedAt)`),
  });
  return moved(written);
}

/** Narrows a result that no claim or idempotency key can have refused. */
export function moved(written: Moved | Claimed | KeyReused): Moved {
  if (written.result === 'claimed' || written.result === 'key_reused')
    throw new Fault(`a transition that cannot be ${written.result} was`);
  return written;
}

export async function writeRelease(
  database: Database,
  current: Session,
  name: TransitionName,
  ending: Omit<TransitionChange, 'claim' | 'evidence'>,
): Promise<Moved | Claimed | KeyReused> {
  const claim = current.claimsInvoice ? releaseInvoice(database, current) : undefined;
  const written = await writeTransition(database, current, name, { ...ending, claim });
  // Another session's claim stays.
  return written.result === 'claimed' ? writeTransition(database, current, name, ending) : written;
}

interface TransitionChange extends CancellationParts {
  readonly at: number;
  readonly writtenAt?: number;
  readonly set: Partial<Session>;
  readonly remove?: readonly (keyof Session)[];
  readonly condition?: Expression | undefined;
  readonly claim?: Part | undefined;
  readonly evidence?: Part;
}

/** The only way a status changes: row, event and claim, all or nothing. */
export async function writeTransition(
  database: Database,
  current: Session,
  name: TransitionName,
  { at, writtenAt, set, remove, condition, claim, evidence, audit, idempotencyKey }: TransitionChange,
): Promise<Moved | Claimed | KeyReused> {
  const { sessionId, sequence } = current;
  const { from, to, event, outcome } = transitions[name];
  const next: Session = { ...current, ...set, status: to, sequence: sequence + 1 };
  const { status } = next;
  const { practiceStatus, practiceReturned } = listAttributes(next);
  const refused = await transact(database, {
    session: change(
      database,
      'sessions',
      { sessionId },
      {
        set: { ...set, practiceStatus, practiceReturned, status, sequence: next.sequence },
        remove: remove ?? [],
        condition: allOf(expression`status IN ${oneOf(from)}`, expression`sequence = ${sequence}`, condition),
      },
    ),
    event: putEvent(database, event, next, current.status, at, writtenAt),
    claim,
    evidence,
    audit,
    idempotencyKey,
  });
  if (!refused) {
    const eventId = sessionEventId(sessionId, next.sequence);
    logInfo('session changed', { sessionId, eventId, transition: name, status }, [
      { metric: 'Sessions', value: 1, by: outcome },
    ]);
    return { result: 'written', session: next };
  }
  if (refused.has('idempotencyKey')) return { result: 'key_reused' };
  if (refused.has('session')) return { result: 'changed', session: z.parse(sessionRow, refused.get('session')) };
  // If evidence already exists, the session was authorized and its row was restored to an earlier time.
  if (refused.has('claim') || refused.has('evidence')) return { result: 'claimed' };
  throw new Fault(`transition ${name} of ${sessionId} was refused by its event or audit entry`);
}
