import type { Creator, MemberSession, SessionSearch } from '../../functions/contract/sessions/dashboard-sessions.ts';
import type { EndpointSummary } from '../../functions/contract/webhooks/dashboard-endpoints.ts';
import type { DeliverySummary } from '../../functions/contract/webhooks/dashboard-deliveries.ts';
import type { NewEndpoint } from '../../functions/contract/webhooks/webhook-endpoints.ts';
import type { ApiProblem } from './api.ts';
import { formatCount, keysOf } from './format.ts';

export type EventType = NonNullable<NewEndpoint['eventTypes']>[number];

export const eventWords: Readonly<Record<EventType, string>> = {
  'session.payment.processing': 'The patient authorized the payment',
  'session.payment.succeeded': 'The invoice was paid',
  'session.payment.failed': 'The payment failed',
  'session.payment.cancelled': 'The payment link was cancelled or expired',
  'session.payment.returned': 'The bank returned a payment',
  'session.payment.refunded': 'The patient got money back',
  'session.payment.refund_failed': 'A refund failed',
  'session.payment.link_requested': 'A patient asked for a new link',
  'session.payment.opened': 'A patient started on the payment page',
  'practice.joined': 'A practice joined the platform',
  'practice.left': 'A practice left the platform',
};

function isEventType(type: string): type is EventType {
  return Object.hasOwn(eventWords, type);
}

/** What a delivery is about. An event of an unknown type is a test. */
export function deliveryTitle({ eventType }: Pick<DeliverySummary, 'eventType'>): string {
  return isEventType(eventType) ? eventWords[eventType] : 'Test event';
}

export const eventTypes = keysOf(eventWords);

/** The event types that an endpoint of a practice or a platform can get. */
export function eventTypesFor(owner: 'practice' | 'platform'): EventType[] {
  return eventTypes.filter((type) => owner === 'platform' || !type.startsWith('practice.'));
}

export function filterWords({ eventTypes: chosen }: Pick<EndpointSummary, 'eventTypes'>): string {
  return chosen === undefined ? 'All events' : formatCount(chosen.length, 'event');
}

type RetryPolicy = NonNullable<EndpointSummary['retryPolicy']>;

export const retryWords: Readonly<Record<RetryPolicy, { readonly label: string; readonly hint: string }>> = {
  standard: {
    label: 'When it can help',
    hint: 'After no answer, 408, 425, 429 or 5xx. Other answers fail the delivery at once.',
  },
  all: { label: 'After every failure', hint: 'After every answer but 2xx and 410. 410 disables the endpoint.' },
};

type Reason = NonNullable<MemberSession['failure']>['code'];

export const reasonWords: Record<Reason, string> = {
  insufficient_funds: 'Not enough money in the account',
  account_closed: 'The account is closed',
  account_not_found: 'The bank does not know the account',
  debit_not_authorized: 'The account holder says the debit was not authorized',
  account_frozen: 'The account is frozen',
  bank_declined: 'The bank declined',
  processor_error: 'The payment processor failed',
  account_unusable: 'The payment processor cannot debit this account',
  practice_account_restricted: 'Stripe does not let your account take it',
  processor_limit_exceeded: 'Over the payment processor’s limit',
  authorization_invalid: 'The authorization was not accepted',
  authorization_expired: 'The authorization was too old',
};

/** Used where the API's words are for developers, who know a payment as a session. */
const problemsOfPayments: { readonly [Code in ApiProblem['code']]?: Pick<ApiProblem, 'title' | 'detail'> } = {
  session_not_found: { title: 'There is no such payment.', detail: 'Search for it under Payments.' },
  session_not_ended: { title: 'The payment has not ended.', detail: 'Cancel it, or wait for its outcome.' },
  session_not_cancellable: {
    title: 'The payment can no longer be cancelled.',
    detail: 'Only a pending or processing payment can.',
  },
  payment_not_voidable: {
    title: 'It is too late to cancel the payment.',
    detail: 'The bank has the debit already. Once the payment is paid, an admin can refund it.',
  },
};

export function problemWords({ code, title, detail }: ApiProblem): Pick<ApiProblem, 'title' | 'detail'> {
  return problemsOfPayments[code] ?? { title, ...(detail !== undefined && { detail }) };
}

export const blockWords: Record<NonNullable<MemberSession['blockedBy']>, string> = {
  invoice_already_paid: 'Invoice already paid through another link',
  payment_in_progress: 'Invoice being paid through another link',
  bank_connection_locked: 'Bank sign-ins used up: make a new link',
};

type Facts = Pick<MemberSession, 'status' | 'amountCents' | 'return' | 'refund' | 'cancellation'>;

/** What has arrived at the patient's bank, in cents. */
export function givenBack({ refund }: Pick<MemberSession, 'refund'>): number {
  return refund ? refund.amountCents - (refund.pendingCents ?? 0) : 0;
}

export function isPaid(session: Facts): boolean {
  return session.status === 'succeeded' && session.return === undefined && givenBack(session) < session.amountCents;
}

export function canBePaid({ status, blockedBy }: Pick<MemberSession, 'status' | 'blockedBy'>): boolean {
  return status === 'pending' && blockedBy === undefined;
}

/** Whether the session ended without the practice having the money, so that the invoice accepts another session. */
export function canBePaidAnew(session: Facts): boolean {
  return isOver(session) && !isPaid(session);
}

/** Whether the link shows a receipt of a payment that arrived. Any other link that has ended shows only how. */
export function hasReceipt({ settledAt }: Pick<MemberSession, 'settledAt'>): boolean {
  return settledAt !== undefined;
}

/** Whether nothing more will happen, except possibly a return. */
export function isOver({ status }: Pick<MemberSession, 'status'>): boolean {
  return status !== 'pending' && status !== 'processing';
}

const tones = {
  pending: 'quiet',
  processing: 'waiting',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'quiet',
} as const satisfies Record<MemberSession['status'], Badge['tone']>;

export type Outcome = NonNullable<SessionSearch['outcome']>[number];

export const outcomeWords: Readonly<Record<Outcome, string>> = {
  pending: 'Pending',
  opened: 'Opened but unpaid',
  processing: 'Processing',
  succeeded: 'Paid',
  failed: 'Failed',
  cancelled: 'Cancelled',
  expired: 'Expired',
  returned: 'Returned',
  refunded: 'Refunded',
};

interface Badge {
  readonly tone: 'good' | 'waiting' | 'bad' | 'warning' | 'quiet';
  readonly words: string;
}

/** A return, a refund or an expired link is shown instead of the session's status. */
export function badgeOf(session: Facts): Badge {
  const { status } = session;
  if (session.return) return { tone: 'bad', words: outcomeWords.returned };
  if (session.cancellation?.reason === 'expired') return { tone: 'quiet', words: outcomeWords.expired };
  return refundBadge(session) ?? { tone: tones[status], words: outcomeWords[status] };
}

function refundBadge(session: Facts): Badge | undefined {
  const { refund, amountCents } = session;
  if (!refund) return undefined;
  if ((refund.pendingCents ?? 0) > 0) return { tone: 'waiting', words: 'Refund pending' };
  if (givenBack(session) >= amountCents) return { tone: 'quiet', words: outcomeWords.refunded };
  if (refund.status === 'failed') return { tone: 'bad', words: 'Refund failed' };
  return givenBack(session) > 0 ? { tone: 'good', words: 'Partly refunded' } : undefined;
}

/** A dash stands for the name that a person with one name does not have. */
export function nameOf(sent: string): string {
  return /^[\s\p{Pd}\u2212]+$/u.test(sent) ? '' : sent;
}

export type Patient = NonNullable<MemberSession['patient']>;

export function fullName({ firstName, lastName }: Patient): string {
  return `${nameOf(firstName)} ${nameOf(lastName)}`.trim();
}

export function creatorWords(creator: Creator): string {
  return creator.kind === 'api_key' ? `API key “${creator.name}”` : (creator.email ?? 'A member');
}

/** The number on the receipt, which exists once the patient has authorized. */
export function receiptNumberOf({ sessionId }: Pick<MemberSession, 'sessionId'>): string {
  return sessionId.slice(-10);
}

/** What each test bank user simulates. An unknown user is described by its scenario. */
const simulated: Readonly<Record<string, string>> = {
  user_good: 'The invoice is paid.',
  user_bad: 'The bank refuses the password.',
  user_bank_down: 'The bank cannot be reached.',
  user_insufficient_funds: 'The payment fails: not enough money in the account (R01).',
  user_account_closed: 'The payment fails: the account is closed (R02).',
  user_declined: 'The payment fails: the bank declines the debit.',
  user_processor_error: 'The payment fails: the payment processor refuses the debit.',
  user_stuck: 'The payment stays in processing. It can be cancelled.',
  user_sent: 'The payment stays in processing, too late to cancel, until it is advanced. Then the invoice is paid.',
  user_late_return: 'The invoice is paid, and the bank takes the money back later (R01).',
};

export function simulates({ username, scenario }: { readonly username: string; readonly scenario: string }): string {
  return simulated[username] ?? scenario.replaceAll('_', ' ');
}
