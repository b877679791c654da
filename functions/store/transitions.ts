import { due, ticketGrace } from '../domain/due.ts';
import { transitionTime, type Session } from '../domain/session.ts';
import { sessionEventId } from '../domain/event.ts';
import type { Evidence } from '../domain/evidence.ts';
import { toIso } from '../domain/time.ts';
import { logInfo } from '../log.ts';
import { putEvidence } from './authorizations.ts';
import { transactWrite, updateExpression, type Database, type TransactItem } from './database.ts';
import { putEvent } from './events.ts';
import { releaseClaim, takeClaim } from './invoice-claims.ts';
import { listAttributes, parseSession } from './sessions.ts';
import { Fault } from '../domain/fault.ts';
import { transitions, type TransitionName } from '../domain/transitions.ts';
import type { DebitReturn, Failure } from '../domain/debit.ts';

/** What became of a transition: written, or refused because the session had changed or its invoice is claimed by another. */
export type TransitionResult =
  | { readonly result: 'written'; readonly session: Session }
  | { readonly result: 'changed'; readonly session: Session }
  | { readonly result: 'claimed' };

interface Change {
  /** Milliseconds since 1970; see `transitionTime`. */
  readonly at: number;
  readonly set: Partial<Session>;
  readonly remove?: readonly ('dueShard' | 'dueAt' | 'cancelRequestedAt' | 'offeredAuthorizations')[];
  readonly condition?: {
    readonly expression: string;
    readonly names?: Record<string, string>;
    readonly values: Record<string, unknown>;
  };
  readonly claim?: TransactItem | undefined;
  readonly evidence?: TransactItem;
}

/**
 * The one way a session's state changes: its row, its event and its invoice's claim, all or nothing,
 * and only if the session is still exactly as `current` was read.
 */
async function writeTransition(
  database: Database<'sessions' | 'events'>,
  current: Session,
  name: TransitionName,
  change: Change,
): Promise<TransitionResult> {
  const { from, to, event } = transitions[name];
  const set = { ...change.set, status: to, sequence: current.sequence + 1, lastTransitionAt: toIso(change.at) };
  const next: Session = { ...current, ...set };
  const { practiceStatus } = listAttributes(next);
  const { ExpressionAttributeNames, ExpressionAttributeValues, UpdateExpression } = updateExpression(
    { ...set, practiceStatus },
    change.remove,
  );
  const priorStates = Object.fromEntries(from.map((status) => [`:from_${status}`, status]));
  const conditions = [
    `#status IN (${Object.keys(priorStates).join(', ')})`,
    '#sequence = :current',
    change.condition?.expression,
  ];
  const refusals = await transactWrite(database, [
    {
      Update: {
        TableName: database.tables.sessions,
        Key: { sessionId: current.sessionId },
        UpdateExpression,
        ConditionExpression: conditions.filter(Boolean).join(' AND '),
        ExpressionAttributeNames: { ...ExpressionAttributeNames, ...change.condition?.names },
        ExpressionAttributeValues: {
          ...ExpressionAttributeValues,
          ...priorStates,
          ':current': current.sequence,
          ...change.condition?.values,
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    putEvent(database, event, next, current.status, change.at),
    ...(change.claim ? [change.claim] : []),
    ...(change.evidence ? [change.evidence] : []),
  ]);
  if (!refusals) {
    const { sessionId, sequence, status } = next;
    logInfo('session changed', { sessionId, eventId: sessionEventId(sessionId, sequence), transition: name, status }, [
      { metric: 'Sessions', value: 1, by: transitions[name].outcome },
    ]);
    return { result: 'written', session: next };
  }
  if (refusals[0]?.conditionFailed) return { result: 'changed', session: parseSession(refusals[0].row) };
  if (change.claim && refusals[2]?.conditionFailed) return { result: 'claimed' };
  throw new Fault(`transition ${name} of ${current.sessionId} was refused by its event or evidence`);
}

/** What a session that is over no longer has. */
const notDue = ['dueShard', 'dueAt', 'cancelRequestedAt'] as const;

type Settling = Database<'sessions' | 'events' | 'invoiceClaims'>;

/** Ends a payment and gives its invoice free, if the claim is this session's; a claim that is not never holds back the fact. */
async function writeRelease(
  database: Settling,
  current: Session,
  name: TransitionName,
  change: Omit<Change, 'claim' | 'evidence'>,
): Promise<TransitionResult> {
  if (!current.claimsInvoice) return writeTransition(database, current, name, change);
  const outcome = await writeTransition(database, current, name, { ...change, claim: releaseClaim(database, current) });
  return outcome.result === 'claimed' ? writeTransition(database, current, name, change) : outcome;
}

/** The patient authorizes the debit: evidence, the invoice's claim and `processing`, due for submission, in one transaction. */
export async function authorizePayment(
  database: Database<'sessions' | 'events' | 'invoiceClaims' | 'authorizations'>,
  current: Session,
  authorization: { evidence: Omit<Evidence, 'authorizedAt'>; guardInvoice: boolean; now: number },
): Promise<TransitionResult> {
  const { evidence, guardInvoice, now } = authorization;
  const { authorizationId: id, text, templateVersion, locale, processorAccount } = evidence;
  const at = transitionTime(current, now);
  return writeTransition(database, current, 'authorize', {
    at,
    set: {
      processingAt: toIso(at),
      authorization: { id, text, templateVersion, locale },
      claimsInvoice: guardInvoice,
      ...due('debit', current.sessionId, at + ticketGrace),
    },
    remove: ['offeredAuthorizations'],
    condition: {
      // Another account with the same last digits has the same text.
      expression:
        'expiresAt > :now AND processorAccount = :processorAccount AND #offeredAuthorizations.#locale.id = :id',
      names: { '#locale': locale },
      values: { ':now': toIso(now), ':id': id, ':processorAccount': processorAccount },
    },
    claim: guardInvoice ? takeClaim(database, current) : undefined,
    evidence: putEvidence(database, { ...evidence, authorizedAt: toIso(at) }),
  });
}

/** The bank has paid. The claim stays: the invoice is paid. */
export async function settleSession(database: Settling, current: Session, now: number): Promise<TransitionResult> {
  const at = transitionTime(current, now);
  return writeTransition(database, current, 'settle', { at, set: { settledAt: toIso(at) }, remove: notDue });
}

/** The bank or the processor has refused for good; the invoice may be paid by another session. */
export async function failSession(
  database: Settling,
  current: Session,
  failure: Failure,
  now: number,
): Promise<TransitionResult> {
  const at = transitionTime(current, now);
  return writeRelease(database, current, 'fail', {
    at,
    set: { failedAt: toIso(at), failure },
    remove: notDue,
  });
}

/** The bank takes a settled debit back: the state stays, the practice is told, the invoice may be paid again. */
export async function returnDebit(
  database: Settling,
  current: Session,
  returned: Omit<DebitReturn, 'returnedAt'>,
  now: number,
): Promise<TransitionResult> {
  const at = transitionTime(current, now);
  return writeRelease(database, current, 'return', {
    at,
    set: { return: { ...returned, returnedAt: toIso(at) }, claimsInvoice: false },
    condition: { expression: 'attribute_not_exists(#return)', names: { '#return': 'return' }, values: {} },
  });
}

/** The practice cancels: at once while pending and not expired, else once the debit is voided; the invoice may be paid again. */
export async function cancelSession(database: Settling, current: Session, now: number): Promise<TransitionResult> {
  const at = transitionTime(current, now);
  return writeRelease(database, current, 'cancel', {
    at,
    set: { cancelledAt: toIso(at), cancellation: { reason: 'requested_by_practice' } },
    remove: notDue,
    ...(current.status === 'pending' && {
      condition: { expression: 'expiresAt > :now', values: { ':now': toIso(now) } },
    }),
  });
}

/** Ends a session whose time is over. It is cancelled at the instant it expired, whenever this is written. */
export async function expireSession(
  database: Database<'sessions' | 'events'>,
  current: Session,
): Promise<TransitionResult> {
  return writeTransition(database, current, 'expire', {
    at: Date.parse(current.expiresAt),
    set: { cancelledAt: current.expiresAt, cancellation: { reason: 'expired' } },
    remove: notDue,
    condition: { expression: 'expiresAt = :expiresAt', values: { ':expiresAt': current.expiresAt } },
  });
}
