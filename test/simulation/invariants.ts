import { isDeepStrictEqual } from 'node:util';
import type { BankDebit } from './bank.ts';
import type { KnownRefund } from './actors.ts';
import type { Receiver } from './receivers.ts';
import type { Row, Rows } from './tables.ts';

// Nothing here runs the product's code: what must hold is said again, in terms of rows, events, webhooks and the bank's own books.

/** A session's row, as far as it matters here. */
interface SessionRow {
  readonly sessionId: string;
  readonly practiceId: string;
  readonly invoiceId: string;
  readonly status: string;
  readonly sequence: number;
  readonly amountCents: number;
  readonly expiresAt: string;
  readonly createdAt: string;
  readonly settledAt?: string;
  readonly failedAt?: string;
  readonly failure?: object;
  readonly cancelledAt?: string;
  readonly cancellation?: object;
  readonly patient?: object;
  readonly debit?: object;
  readonly refund?: Refund;
  readonly return?: object;
  readonly metadata?: Readonly<Record<string, string>>;
}

interface Refund {
  readonly amountCents: number;
  readonly pendingCents?: number;
  readonly failedCents?: number;
}

interface Event {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly practiceId: string;
  readonly data: {
    readonly sessionId: string;
    readonly status: string;
    readonly previousStatus: string;
    readonly sequence: number;
    readonly metadata: object;
    readonly refund?: Refund;
  };
}

export interface Observed {
  readonly rows: Rows;
  readonly debits: readonly BankDebit[];
  readonly receivers: readonly Receiver[];
  readonly refunds: readonly KnownRefund[];
  readonly guarded: ReadonlySet<string>;
  /** Sessions whose erasure was confirmed. */
  readonly erased: ReadonlySet<string>;
  readonly archive: ReadonlyMap<string, object> | undefined;
  readonly chargeType: 'direct' | 'destination' | undefined;
}

/** In milliseconds, less than a day by what clocks differ. */
const idempotencyPeriod = 86_390_000;
const terminal = ['succeeded', 'failed', 'cancelled'];
const duties = ['sessions', 'events', 'deliveries', 'sandboxDebits', 'processorEvents'] as const;

/** Compares the sessions with how they were before. Evidence must be there before a debit is. */
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

function centsOf(debit: BankDebit | undefined, state: string): number {
  return (debit?.refunds ?? []).reduce((sum, refund) => sum + (refund.state === state ? refund.cents : 0), 0);
}

/** What a direct charge leaves its account. One that was refunded and then returned leaves less than nothing. */
function ownCents(debit: BankDebit): number {
  return (debit.state === 'paid' ? debit.cents : 0) - centsOf(debit, 'given');
}

/** A refund reverses its part of the transfer even if it fails, and a return what is left of it. */
function transferredCents({ state, cents, refunds }: BankDebit): number {
  return state === 'paid' ? cents - refunds.reduce((sum, refund) => sum + refund.cents, 0) : 0;
}

/** The processor may not say which debit a booking is about, so a practice's are added up. */
function checkBooks(sessions: readonly SessionRow[], { rows, debits, chargeType }: Observed): string[] {
  const ownerOf = new Map(sessions.map(({ sessionId, practiceId }) => [sessionId, practiceId]));
  const practiceIds = new Set(rows.practices.map((row) => String(row['practiceId'])));
  return [...practiceIds].flatMap((practiceId) => {
    const own = debits.filter(({ sessionId }) => ownerOf.get(sessionId) === practiceId);
    const cents = own.reduce(
      (sum, debit) => sum + (chargeType === 'direct' ? ownCents(debit) : transferredCents(debit)),
      0,
    );
    const booked = rows.bookings
      .filter((row) => row['practiceId'] === practiceId && !String(row['category']).startsWith('payout'))
      .reduce((sum, row) => sum + Number(row['amountCents']), 0);
    return booked === cents ? [] : [`the books of ${practiceId} add up to ${booked} cents, the bank's to ${cents}`];
  });
}

/** Whether its money is there: not returned, and not given back in full. */
function keepsMoney({ status, amountCents, ...session }: SessionRow): boolean {
  const { refund } = session;
  const isGivenBack = (refund?.amountCents ?? 0) - (refund?.pendingCents ?? 0) >= amountCents;
  return status === 'processing' || (status === 'succeeded' && session.return === undefined && !isGivenBack);
}

function checkInvoices(sessions: readonly SessionRow[], { rows, guarded }: Observed): string[] {
  const identity = ({ practiceId, invoiceId }: SessionRow) => `${practiceId}#${invoiceId.trim()}`;
  const paying = Map.groupBy(
    sessions.filter((session) => guarded.has(session.practiceId) && keepsMoney(session)),
    identity,
  );
  const found = [...paying].flatMap(([invoice, those]) =>
    // A refund that fails after another session claimed the invoice raises an alarm instead.
    those.filter(({ refund }) => !refund?.failedCents).length > 1
      ? [`${invoice} is paid by ${those.map(({ sessionId }) => sessionId).join(' and ')}`]
      : [],
  );
  for (const { claimId, sessionId } of rows.invoiceClaims) {
    const holder = sessions.find((session) => session.sessionId === sessionId);
    if (!holder || !keepsMoney(holder))
      found.push(`${String(claimId)} is claimed by ${String(sessionId)}, which is ${holder?.status ?? 'missing'}`);
  }
  for (const session of [...paying.values()].flat())
    if (!session.refund?.failedCents && !rows.invoiceClaims.some(({ sessionId }) => sessionId === session.sessionId))
      found.push(`${session.sessionId} (${session.status}) does not claim its invoice`);
  return found;
}

/** A practice's backend puts its idempotency key, which holds for a day, into the metadata. */
function checkOrders(sessions: readonly SessionRow[]): string[] {
  const ofKey = Map.groupBy(sessions, ({ metadata }) => metadata?.['order']);
  return [...ofKey].flatMap(([order, those]) => {
    const times = those.map(({ createdAt }) => Date.parse(createdAt)).toSorted((one, other) => one - other);
    const isEarly = times.some((time, index) => index > 0 && time - (times[index - 1] ?? 0) < idempotencyPeriod);
    return order !== undefined && isEarly ? [`${order} created ${those.length} sessions`] : [];
  });
}

function checkDeliveries({ rows, receivers }: Observed): string[] {
  const found: string[] = [];
  const bodies = new Map(rows.events.map((row) => [row['eventId'], String(row['body'])]));
  for (const receiver of receivers) {
    const { practiceId, endpointId, received } = receiver;
    const accepted = new Set(received.filter((each) => each.accepted).map(({ eventId }) => eventId));
    for (const { eventId, body } of received) {
      if (JSON.parse(body).practiceId !== practiceId)
        found.push(`${endpointId} received ${eventId} of another practice`);
      const stored = bodies.get(eventId);
      if (stored === undefined) found.push(`${endpointId} received ${eventId}, which is no event`);
      else if (withoutMetadata(stored) !== withoutMetadata(body))
        found.push(`${endpointId} received ${eventId} with another body`);
    }
    for (const { practiceId: owner, type, eventId } of rows.events) {
      const isOptional = /refund|link_requested|webhook.test/.test(String(type));
      if (owner !== practiceId || isOptional) continue;
      const delivery = rows.deliveries.find((row) => row['eventId'] === eventId && row['endpointId'] === endpointId);
      if (delivery?.['status'] !== 'delivered')
        found.push(
          `the delivery of ${String(eventId)} to ${endpointId} is ${JSON.stringify(delivery?.['status'] ?? 'missing')}`,
        );
      else if (!accepted.has(String(eventId))) found.push(`${endpointId} never accepted ${String(eventId)}`);
    }
  }
  return found;
}

function withoutMetadata(body: string): string {
  const event = JSON.parse(body);
  return JSON.stringify({ ...event, data: { ...event.data, metadata: {} } });
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

function sessionsIn({ sessions }: Pick<Rows, 'sessions'>): SessionRow[] {
  return sessions as unknown as SessionRow[];
}

function eventsOf({ events }: Rows, sessionId: string): Event[] {
  return events
    .filter((row) => row['sessionId'] === sessionId)
    .map((row): Event => JSON.parse(String(row['body'])))
    .toSorted((one, other) => one.data.sequence - other.data.sequence);
}
