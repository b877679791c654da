export const sessionStatuses = ['pending', 'processing', 'succeeded', 'failed', 'cancelled'] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

type Fact =
  | 'processingAt'
  | 'settledAt'
  | 'failedAt'
  | 'failure'
  | 'cancelledAt'
  | 'cancellation'
  | 'return'
  | 'refund';

interface SessionEvent {
  readonly summary: string;
  readonly facts: readonly Fact[];
  /** Facts that only some of these sessions have. */
  readonly sometimes?: readonly Fact[];
}

export const sessionEvents = {
  'session.payment.processing': { summary: 'The patient authorized the debit', facts: ['processingAt'] },
  'session.payment.succeeded': { summary: 'The funds are confirmed', facts: ['settledAt'] },
  'session.payment.failed': {
    summary: 'The bank or the processor refused the payment',
    facts: ['failedAt', 'failure'],
  },
  'session.payment.cancelled': {
    summary: 'The practice cancelled the session, or it expired',
    facts: ['cancelledAt', 'cancellation'],
  },
  'session.payment.returned': {
    summary: 'The bank returned a settled debit',
    facts: ['settledAt', 'return'],
    sometimes: ['refund'],
  },
  'session.payment.refunded': { summary: 'The patient got money back', facts: ['settledAt', 'refund'] },
  'session.payment.refund_failed': {
    summary: "The patient's bank did not take a refund",
    facts: ['settledAt', 'refund'],
  },
  'session.payment.link_requested': {
    summary: 'The patient asked for a new link, because this one expired',
    facts: [],
  },
  'session.payment.opened': { summary: 'The patient first did something on the payment page', facts: [] },
} as const satisfies Record<string, SessionEvent>;

export type SessionEventType = keyof typeof sessionEvents;

// Pure, so that bundles without events drop them.
export const sessionEventTypes: readonly SessionEventType[] =
  /* @__PURE__ */ Object.keys(sessionEvents).filter(isSessionEventType);

/** Sent only to endpoints that name them. */
export const optInEventTypes: readonly string[] = [
  'session.payment.refunded',
  'session.payment.refund_failed',
  'session.payment.link_requested',
  'session.payment.opened',
] satisfies SessionEventType[];

interface Transition {
  readonly from: readonly SessionStatus[];
  readonly to: SessionStatus;
  readonly event: SessionEventType;
  readonly outcome: string;
  readonly trigger: string;
}

export const transitions = {
  authorize: {
    from: ['pending'],
    to: 'processing',
    event: 'session.payment.processing',
    outcome: 'processing',
    trigger: 'patient connects a bank and authorizes',
  },
  settle: {
    from: ['processing'],
    to: 'succeeded',
    event: 'session.payment.succeeded',
    outcome: 'succeeded',
    trigger: 'funds confirmed',
  },
  fail: {
    from: ['processing'],
    to: 'failed',
    event: 'session.payment.failed',
    outcome: 'failed',
    trigger: 'bank or processor refuses',
  },
  cancel: {
    from: ['pending', 'processing'],
    to: 'cancelled',
    event: 'session.payment.cancelled',
    outcome: 'cancelled',
    trigger: 'practice cancels',
  },
  expire: {
    from: ['pending'],
    to: 'cancelled',
    event: 'session.payment.cancelled',
    outcome: 'expired',
    trigger: 'link or session expires',
  },
  return: {
    from: ['succeeded'],
    to: 'succeeded',
    event: 'session.payment.returned',
    outcome: 'returned',
    trigger: 'bank returns the debit',
  },
  refund: {
    from: ['succeeded'],
    to: 'succeeded',
    event: 'session.payment.refunded',
    outcome: 'refunded',
    trigger: 'practice refunds the patient',
  },
  failRefund: {
    from: ['succeeded'],
    to: 'succeeded',
    event: 'session.payment.refund_failed',
    outcome: 'refund_failed',
    trigger: 'bank does not take a refund',
  },
  requestLink: {
    from: ['cancelled'],
    to: 'cancelled',
    event: 'session.payment.link_requested',
    outcome: 'link_requested',
    trigger: 'patient asks for a new link after the expiration',
  },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;
export type SessionOutcome = (typeof transitions)[TransitionName]['outcome'];

function isSessionEventType(type: string): type is SessionEventType {
  return Object.hasOwn(sessionEvents, type);
}
