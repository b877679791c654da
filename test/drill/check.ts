// Nothing here runs the product's code: it states again what must hold, in terms of answers, webhooks, rows and the bank's own books.

/** One session, as the callers of the service know it. */
export interface Told {
  /** The idempotency key, which is also in the metadata. */
  readonly order: string;
  readonly amountCents: number;
  /** Known once the call that creates it was answered. */
  sessionId?: string;
  authorized: boolean;
  cancelled: boolean;
  /** Every final status that an answer named. */
  readonly ends: Set<string>;
  /** Each refund has a different amount. */
  readonly refunds: { readonly cents: number; answered: boolean }[];
}

export type Row = Readonly<Record<string, any>>;

/** A debit in the books of the bank. */
export interface Debit {
  readonly sessionId: string;
  readonly cents: number;
  readonly state: 'open' | 'taken' | 'failed' | 'voided';
  /** In cents. */
  readonly refunds: readonly number[];
}

export interface Kept {
  readonly sessions: readonly Row[];
  readonly events: readonly Row[];
  readonly deliveries: readonly Row[];
  readonly evidence: readonly Row[];
  readonly debits: readonly Debit[];
  /** What the API says, keyed by session. */
  readonly statuses: ReadonlyMap<string, string>;
}

export interface Received {
  readonly eventId: string;
  readonly body: string;
}

/** The practice takes one payment for an invoice, and its endpoint gets every event. */
export function check(told: readonly Told[], received: readonly Received[], kept: Kept): string[] {
  return [
    ...told.flatMap((each) => checkTold(each, kept)),
    ...kept.sessions.flatMap((session) => checkSession(session, kept)),
    ...checkRefunds(told, kept),
    ...checkSums(kept),
    ...checkWebhooks(received, kept),
  ];
}

/** Nothing that callers were told is lost or has changed. */
function checkTold({ sessionId, order, ...told }: Told, kept: Kept): string[] {
  if (sessionId === undefined) return [];
  const session = kept.sessions.find((row) => row['sessionId'] === sessionId);
  if (!session) return [`${sessionId} was created for ${order} and is lost`];
  const status = String(session['status']);
  const debits = debitsOf(kept, sessionId);
  return violations(sessionId, [
    [
      session['amountCents'] === told.amountCents,
      `it is about ${session['amountCents']} cents, not ${told.amountCents}`,
    ],
    [kept.statuses.get(sessionId) === status, `the API says ${kept.statuses.get(sessionId)}, its row ${status}`],
    [!told.authorized || status !== 'pending', 'its authorization was accepted and is lost'],
    // Without a debit, the session was cancelled first, or the processor refused it.
    [
      !told.authorized || debits.length > 0 || ['cancelled', 'failed'].includes(status),
      'its authorization was accepted and there is no debit',
    ],
    [!told.cancelled || status === 'cancelled', `its cancellation was accepted, and it is ${status}`],
    [[...told.ends].every((end) => end === status), `it was ${[...told.ends].join(' and ')}, and is ${status}`],
  ]);
}

function checkSession(session: Row, kept: Kept): string[] {
  const { sessionId, status, sequence, amountCents } = session;
  const debits = debitsOf(kept, sessionId);
  const standing = debits.filter(({ state }) => state === 'taken');
  const open = debits.filter(({ state }) => state === 'open');
  const isProven = kept.evidence.some((row) => row['sessionId'] === sessionId);
  const events = kept.events
    .filter((row) => row['sessionId'] === sessionId)
    .map((row) => JSON.parse(row['body']))
    .toSorted((one, other) => one.data.sequence - other.data.sequence);
  // The open event is not a transition.
  const steps = events.filter(({ type }) => type !== 'session.payment.opened').map(({ data }) => data);
  return violations(sessionId, [
    [debits.filter(({ state }) => state !== 'failed').length <= 1, `${debits.length} debits`],
    [debits.every(({ cents }) => cents === amountCents), 'a debit of another amount'],
    [debits.length === 0 || isProven, 'a debit without evidence'],
    [status !== 'succeeded' || standing.length === 1, 'it succeeded without a debit'],
    [
      !['cancelled', 'failed'].includes(status) || standing.length === 0,
      `it is ${status}, and the bank took the money`,
    ],
    // A processing session has an open debit, and an ended one has none.
    [open.length === Number(status === 'processing'), `it is ${status}, with ${open.length} open debits`],
    [steps.length === (sequence ?? 0), `${steps.length} events for ${sequence ?? 0} transitions`],
    [steps.every((data, index) => data.sequence === index + 1), 'its events are not numbered one by one'],
    [
      steps.every((data, index) => data.previousStatus === (steps[index - 1]?.status ?? 'pending')),
      'an event does not follow from the one before',
    ],
    [
      (steps.at(-1)?.status ?? 'pending') === status,
      `its events end with ${steps.at(-1)?.status}, and it is ${status}`,
    ],
    [
      new Set(steps.map((data) => data.status).filter(isFinal)).size <= 1,
      `it ended more than once: ${steps.map((data) => data.status).join(', ')}`,
    ],
  ]);
}

const isFinal = (status: string) => ['succeeded', 'failed', 'cancelled'].includes(status);

/** Every refund that was answered was made once, and no others were made. */
function checkRefunds(told: readonly Told[], kept: Kept): string[] {
  return kept.sessions.flatMap(({ sessionId, refund }) => {
    const made = debitsOf(kept, sessionId).flatMap(({ refunds }) => refunds);
    const asked = told.find((each) => each.sessionId === sessionId)?.refunds ?? [];
    const sum = made.reduce((total, cents) => total + cents, 0);
    const said = refund?.amountCents ?? 0;
    return violations(sessionId, [
      [asked.every(({ answered, cents }) => !answered || made.includes(cents)), 'a refund was accepted and is lost'],
      [made.every((cents) => asked.some((each) => each.cents === cents)), 'a refund that nobody asked for'],
      [new Set(made).size === made.length, 'a refund was made twice'],
      [said === sum, `it says that ${said} cents were refunded, the bank says ${sum}`],
    ]);
  });
}

/** One session per idempotency key, one payment per invoice, and no debit without a session. */
function checkSums(kept: Kept): string[] {
  const orders = Map.groupBy(kept.sessions, ({ metadata }) => metadata?.order);
  const paying = kept.sessions.filter(({ status, refund, amountCents, ...session }) => {
    const isGivenBack = session['return'] !== undefined || (refund?.amountCents ?? 0) >= amountCents;
    return status === 'processing' || (status === 'succeeded' && !isGivenBack);
  });
  const invoices = Map.groupBy(paying, ({ invoiceId }) => invoiceId);
  const known = new Set(kept.sessions.map(({ sessionId }) => sessionId));
  return [
    ...[...orders].flatMap(([order, those]) =>
      order !== undefined && those.length > 1 ? [`${order} created ${those.length} sessions`] : [],
    ),
    ...[...invoices].flatMap(([invoice, those]) =>
      those.length > 1 ? [`${invoice} is paid ${those.length} times`] : [],
    ),
    ...kept.debits.flatMap(({ sessionId }) =>
      known.has(sessionId) ? [] : [`${sessionId} has a debit and is no session`],
    ),
  ];
}

/** Each event arrived, always with the body that is stored. */
function checkWebhooks(received: readonly Received[], { events, deliveries }: Kept): string[] {
  const bodies = Map.groupBy(received, ({ eventId }) => eventId);
  const stored = new Map(events.map(({ eventId, body }) => [String(eventId), String(body)]));
  return [
    ...[...stored.keys()].flatMap((eventId) => (bodies.has(eventId) ? [] : [`${eventId} never arrived`])),
    ...[...bodies].flatMap(([eventId, those]) =>
      those.every(({ body }) => body === stored.get(eventId)) ? [] : [`${eventId} arrived with another body`],
    ),
    ...deliveries.flatMap(({ eventId, endpointId, status }) =>
      status === 'delivered' ? [] : [`the delivery of ${eventId} to ${endpointId} is ${status}`],
    ),
  ];
}

const debitsOf = ({ debits }: Kept, sessionId: unknown) => debits.filter((debit) => debit.sessionId === sessionId);

function violations(sessionId: string, claims: readonly (readonly [boolean, string])[]): string[] {
  return claims.flatMap(([holds, what]) => (holds ? [] : [`${sessionId}: ${what}`]));
}
