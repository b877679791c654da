import { isDeepStrictEqual } from 'node:util';
import { checkBooks, checkInvoices } from './money-invariants.ts';
import { centsOf, eventsOf, sessionsIn, type Observed, type SessionRow } from './observed.ts';
import type { Row, Rows } from './tables.ts';
import { checkDeliveries } from './webhook-invariants.ts';

// Nothing here runs the product's code: it states again what must hold, in terms of rows, events, webhooks and the bank's own books.

/** In milliseconds: a day, less the difference between clocks. */
const idempotencyPeriod = 86_390_000;
const terminal = ['succeeded', 'failed', 'cancelled'];
const duties = ['sessions', 'events', 'deliveries', 'sandboxDebits', 'processorEvents'] as const;

/** Compares the sessions with how they were before. Evidence must exist before a debit does. */
export function watch(
  ended: Map<string, object>,
  rows: Pick<Rows, 'sessions' | 'authorizations' | 'sandboxDebits' | 'processorDebits'>,
): string[] {
  const found: string[] = [];
  for (const { sessionId, status, settledAt, failedAt, failure, cancelledAt, cancellation } of sessionsIn(rows)) {
    if (!terminal.includes(status)) continue;
    const facts = { status, settledAt, failedAt, failure, cancelledAt, cancellation };
    const before = ended.get(sessionId) ?? facts;
    ended.set(sessionId, before);
    if (!isDeepStrictEqual(before, facts))
      found.push(`the end of ${sessionId} changed from ${JSON.stringify(before)} to ${JSON.stringify(facts)}`);
  }
  const proven = new Set(rows.authorizations.map((row) => row['sessionId']));
  for (const { debit, sessionId } of [...rows.sandboxDebits, ...rows.processorDebits])
    if (debit !== undefined && !proven.has(sessionId)) found.push(`${String(sessionId)} has a debit without evidence`);
  return found;
}

/** What must hold once everything is settled. */
export function check(observed: Observed): string[] {
  const sessions = sessionsIn(observed.rows);
  return [
    ...sessions.flatMap((session) => checkSession(session, observed)),
    ...checkInvoices(sessions, observed),
    ...checkOrders(sessions),
    ...checkDeliveries(observed),
    ...checkStrays(sessions, observed),
    ...(observed.archive ? checkBooks(sessions, observed) : []),
  ];
}

function checkSession(session: SessionRow, { rows, debits, refunds, erased, archive }: Observed): string[] {
  const { sessionId, status, sequence, practiceId, amountCents } = session;
  const found: string[] = [];
  const expect = (holds: boolean, what: string) => {
    if (!holds) found.push(`${sessionId} (${status}): ${what}`);
  };

  const events = eventsOf(rows, sessionId);
  expect(events.length === sequence, `${events.length} events for ${sequence} transitions`);
  let before = 'pending';
  for (const [index, { id, created_at: at, data, ...event }] of events.entries()) {
    expect(
      id === `evt_${sessionId.slice(4)}_${index + 1}` && data.sequence === index + 1,
      `event ${index + 1} has the ID ${id}`,
    );
    expect(index === 0 || at > (events[index - 1]?.created_at ?? ''), `event ${id} is not later than the one before`);
    expect(data.previousStatus === before, `event ${id} comes from ${data.previousStatus}, not from ${before}`);
    expect(event.practiceId === practiceId, `event ${id} is another practice's`);
    before = data.status;
  }
  expect(before === status, `its events end with ${before}`);

  const evidence = rows.authorizations.find((row) => row['sessionId'] === sessionId);
  const authorized = events.find(({ type }) => type.endsWith('.processing'));
  expect((evidence !== undefined) === (authorized !== undefined), 'evidence and authorization do not go together');
  if (authorized) expect(authorized.created_at <= session.expiresAt, 'it was authorized after it had expired');
  if (archive && evidence) expect(archive.has(sessionId), 'its evidence is not in the archive');
  if (erased.has(sessionId)) {
    expect(session.patient === undefined, 'its patient was erased and is there');
    expect(
      events.every(({ data }) => Object.keys(data.metadata).length === 0),
      'an event has the metadata of an erased patient',
    );
  }

  const own = debits.filter((debit) => debit.sessionId === sessionId);
  expect(own.filter(({ state }) => state !== 'failed').length <= 1, `${own.length} debits`);
  const [debit] = own.toSorted((one, other) => Number(one.state === 'failed') - Number(other.state === 'failed'));
  const told = (type: string) => events.filter((event) => event.type === `session.payment.${type}`);
  const isPaid = debit?.state === 'paid' || debit?.state === 'returned';
  expect(told('succeeded').length === Number(isPaid), `the bank says ${debit?.state ?? 'nothing'}`);
  expect(told('returned').length === Number(debit?.state === 'returned'), `the bank says ${debit?.state ?? 'nothing'}`);
  if (debit?.state === 'failed') expect(status === 'failed', 'the bank failed the debit');
  if (debit?.state === 'voided') expect(status === 'cancelled' || status === 'failed', 'the debit was voided');
  expect(status !== 'pending', 'it never ends');
  if (status === 'processing')
    expect(debit?.state === 'pending' && session.debit !== undefined, 'it waits for no bank');
  if (debit && isPaid) expect(debit.cents === amountCents, `the bank debited ${debit.cents} of ${amountCents} cents`);

  const given = centsOf(debit, 'given');
  const asked = new Map(
    refunds.filter((each) => each.sessionId === sessionId).map(({ refundId, cents }) => [refundId, cents]),
  );
  for (const { id, cents } of debit?.refunds ?? [])
    expect(asked.get(id) === cents, `a refund ${id} of ${cents} cents was not asked for`);
  expect(new Set(debit?.refunds.map(({ id }) => id)).size === (debit?.refunds.length ?? 0), 'a refund was made twice');
  const recorded = session.refund;
  const returned = told('returned')[0];
  const lastRefund = events.findLast(({ type }) => type.includes('refund'));
  if (!returned) {
    expect(
      (recorded?.amountCents ?? 0) - (recorded?.pendingCents ?? 0) === given,
      `${given} cents were given back, and the session says ${JSON.stringify(recorded)}`,
    );
    expect(
      (recorded?.failedCents ?? 0) === centsOf(debit, 'failed'),
      'the session counts other failed refunds than the bank',
    );
    const toldCents = (lastRefund?.data.refund?.amountCents ?? 0) - (lastRefund?.data.refund?.pendingCents ?? 0);
    expect(toldCents === given, `events tell of ${toldCents} cents given back, the bank of ${given}`);
  }
  expect(given <= amountCents, 'more was given back than was paid');
  return found;
}

/** A practice's backend puts its idempotency key, which holds for a day, into the metadata. */
function checkOrders(sessions: readonly SessionRow[]): string[] {
  const ofKey = Map.groupBy(sessions, ({ metadata }) => metadata?.['order']);
  return [...ofKey].flatMap(([order, those]) => {
    const times = those.map(({ sessionId }) => timeIn(sessionId)).toSorted((one, other) => one - other);
    const isEarly = times.some((time, index) => index > 0 && time - (times[index - 1] ?? 0) < idempotencyPeriod);
    return order !== undefined && isEarly ? [`${order} created ${those.length} sessions`] : [];
  });
}

/** An ID begins with the milliseconds of its creation, in the base 32 of ULIDs. */
function timeIn(sessionId: string): number {
  let time = 0;
  for (const digit of sessionId.slice('ses_'.length, 'ses_'.length + 10))
    time = time * 32 + '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(digit);
  return time;
}

function checkStrays(sessions: readonly SessionRow[], { rows, debits }: Observed): string[] {
  const known = new Set(sessions.map(({ sessionId }) => sessionId));
  const strays = rows.events.filter(({ sessionId }) => typeof sessionId === 'string' && !known.has(sessionId));
  const unknown = debits.filter(({ sessionId }) => !known.has(sessionId));
  return [
    ...strays.map(({ eventId }) => `${String(eventId)} belongs to no session`),
    ...unknown.map(({ sessionId }) => `the bank has a debit of ${sessionId}, which is no session`),
    ...duties.flatMap((table) =>
      rows[table].flatMap((row) =>
        row['dueShard'] === undefined
          ? []
          : [`${table}: ${JSON.stringify(idOf(row))} is still due at ${String(row['dueAt'])}`],
      ),
    ),
  ];
}

const idOf = ({ sessionId, eventId, endpointId }: Row) => ({ sessionId, eventId, endpointId });
