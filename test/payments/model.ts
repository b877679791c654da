import { authorizationExpiry } from '../../functions/domain/payments/authorization.ts';
import { ticketGrace } from '../../functions/domain/due.ts';
import { extensionWindow, maximumExtensions } from '../../functions/domain/sessions/links.ts';
import { connectionOf, fateOf, outcomesAt, type SandboxUser } from '../../functions/domain/payments/sandbox-bank.ts';
import { maximumBankConnectionAttempts } from '../../functions/domain/sessions/session.ts';
import { refundPeriod } from '../../functions/domain/payments/refund.ts';
import { day, minute, toIso } from '../../functions/domain/time.ts';
import type { SessionEventType, SessionStatus } from '../../functions/domain/sessions/transitions.ts';
import { outcomeDelay, type TestBank } from './banks.ts';

export const sessionLifetime = 30 * minute;
export const linkLifetime = 7 * day;

export interface Expected {
  status: SessionStatus;
  expiresAt: number;
  opened: boolean;
  /** How many extensions it has left. */
  extensions: number;
  attempts: number;
  user?: SandboxUser;
  cancelRequested: boolean;
  voided: boolean;
  returned: boolean;
  /** Refunds as the processor has them. */
  refunds: { readonly cents: number; readonly at: number; failed?: true }[];
  /** Refunds as the session has recorded them, in cents. */
  refunded: RefundedCents;
  refundChangedAt?: number;
  openedAt?: number | undefined;
  /** Refunded in full, so the invoice could be paid again. */
  released: boolean;
  submittedAt?: number;
  advanced?: number[];
  dueAt: number | undefined;
  outcomeAt: number | undefined;
  events: [SessionEventType, number][];
  expired?: true;
  linkRequestedAt?: number;
}

export interface RefundedCents {
  readonly given: number;
  readonly pending: number;
  readonly failed: number;
}

export const amountCents = 18_250;

export class Model {
  now: number;
  readonly guard: boolean;
  readonly sessions: Expected[] = [];
  claim: Expected | undefined;
  /** Whether a debit that cannot be voided can be prevented before it is submitted. */
  readonly voidsUnsubmitted: boolean;
  readonly isSandbox: boolean;
  constructor(now: number, guard: boolean, { mode, voidsUnsubmitted }: Pick<TestBank, 'mode' | 'voidsUnsubmitted'>) {
    this.now = now;
    this.guard = guard;
    this.voidsUnsubmitted = voidsUnsubmitted;
    this.isSandbox = mode === 'sandbox';
  }

  timeAfter({ events, openedAt = 0, refundChangedAt = 0 }: Expected, now = this.now): number {
    return Math.max(now, openedAt + 1, (events.at(-1)?.[1] ?? 0) + 1, refundChangedAt + 1);
  }
  move(session: Expected, status: SessionStatus, type: SessionEventType, now = this.now): void {
    session.events.push([type, this.timeAfter(session, now)]);
    Object.assign(session, { status, dueAt: undefined, cancelRequested: false });
    if (status === 'processing' && this.guard) this.claim = session;
    if (this.claim === session && (status === 'failed' || status === 'cancelled' || session.returned))
      this.claim = undefined;
  }
  payable(session: Expected): boolean {
    return session.status === 'pending' && this.now < session.expiresAt;
  }
  open(session: Expected): void {
    if (!this.payable(session) || session.opened) return;
    const expiresAt = this.now + sessionLifetime;
    const fitting = Math.floor((session.expiresAt - expiresAt) / sessionLifetime);
    const extensions = Math.max(0, Math.min(maximumExtensions, fitting));
    Object.assign(session, { opened: true, openedAt: this.now, extensions, expiresAt, dueAt: expiresAt });
  }
  extend(session: Expected): void {
    if (!this.payable(session) || !session.opened || session.extensions === 0) return;
    if (session.expiresAt - this.now > extensionWindow) return;
    const expiresAt = session.expiresAt + sessionLifetime;
    Object.assign(session, { extensions: session.extensions - 1, expiresAt, dueAt: expiresAt });
  }
  connect(session: Expected, user: SandboxUser): void {
    this.open(session);
    if (!this.payable(session) || session.attempts === maximumBankConnectionAttempts) return;
    const connection = connectionOf(user);
    if (connection.connects) session.user = user;
    else if (!connection.unavailable) session.attempts += 1;
  }
  replaceLink(session: Expected): void {
    if (!this.payable(session)) return void delete session.linkRequestedAt;
    const expiresAt = this.now + linkLifetime;
    Object.assign(session, { opened: false, openedAt: undefined, extensions: 0, attempts: 0 });
    Object.assign(session, { user: undefined, expiresAt, dueAt: expiresAt });
  }
  authorize(session: Expected): void {
    if (!this.payable(session) || session.user === undefined || (this.guard && this.claim)) return;
    this.move(session, 'processing', 'session.payment.processing');
    // No more sign-ins.
    Object.assign(session, { attempts: 0, dueAt: (session.events.at(-1)?.[1] ?? this.now) + ticketGrace });
  }
  cancel(session: Expected, bankIsSilent: boolean): void {
    if (this.payable(session)) this.move(session, 'cancelled', 'session.payment.cancelled');
    else if (session.status === 'processing' && bankIsSilent)
      Object.assign(session, { cancelRequested: true, dueAt: this.now + ticketGrace });
    else if (session.status === 'processing') this.void(session);
  }
  void(session: Expected): void {
    const tooLate =
      (session.user === 'user_sent' && (session.submittedAt !== undefined || !this.voidsUnsubmitted)) ||
      this.outcomes(session).happened > 0;
    if (tooLate)
      Object.assign(session, {
        cancelRequested: false,
        dueAt: session.submittedAt === undefined ? session.events[0]?.[1] : undefined,
      });
    else
      this.move(
        Object.assign(session, { voided: true, outcomeAt: undefined }),
        'cancelled',
        'session.payment.cancelled',
      );
  }
  submit(session: Expected): void {
    if (session.status !== 'processing') return;
    const [, authorizedAt = this.now] = session.events[0] ?? [];
    const isVoidable = session.user !== 'user_sent' || this.voidsUnsubmitted;
    if (session.cancelRequested) this.void(session);
    else if (session.submittedAt === undefined && isVoidable && this.now > authorizationExpiry(toIso(authorizedAt)))
      this.move(Object.assign(session, { voided: true }), 'failed', 'session.payment.failed');
    else if (session.user === 'user_processor_error') this.move(session, 'failed', 'session.payment.failed');
    else if (session.submittedAt === undefined)
      Object.assign(session, {
        submittedAt: this.now,
        dueAt: undefined,
        outcomeAt: this.outcomes({ ...session, submittedAt: this.now }).times[0],
      });
  }
  outcomes({ user, submittedAt, advanced }: Expected) {
    const fate = user && fateOf(user);
    if (!fate || submittedAt === undefined) return { total: 0, times: [], happened: 0 };
    const debit = { submittedAt: toIso(submittedAt), ...(advanced && { advanced: advanced.map(toIso) }) };
    return outcomesAt(fate, debit, outcomeDelay, this.now);
  }
  settle(session: Expected): void {
    const { user, submittedAt, voided } = session;
    if (submittedAt === undefined || voided) return;
    const { times, happened } = this.outcomes(session);
    session.outcomeAt = this.nextOutcome(session, times[happened]);
    if (happened === 0) return;
    if (session.status === 'processing' && user === 'user_insufficient_funds')
      this.move(session, 'failed', 'session.payment.failed');
    else if (session.status === 'processing') this.move(session, 'succeeded', 'session.payment.succeeded');
    this.followRefunds(session);
    if (happened < 2 || session.returned) return;
    this.move(Object.assign(session, { returned: true }), 'succeeded', 'session.payment.returned');
  }
  /** Stripe does not say in advance when a refund ends. */
  nextOutcome({ refunds }: Expected, ofDebit: number | undefined): number | undefined {
    const ends = this.isSandbox ? refunds.map(({ at }) => at + outcomeDelay).filter((at) => at > this.now) : [];
    const all = [...ends, ...(ofDebit === undefined ? [] : [ofDebit])];
    return all.length === 0 ? undefined : Math.min(...all);
  }
  refund(session: Expected, cents: number): void {
    const { status, returned, refunded, refunds } = session;
    const settledAt = session.events.find(([type]) => type === 'session.payment.succeeded')?.[1] ?? 0;
    if (status !== 'succeeded' || returned || this.now > settledAt + refundPeriod) return;
    if (cents > amountCents - refunded.given - refunded.pending) return;
    // The bank has taken the money back, but we have not been told.
    if (this.outcomes(session).happened === 2) return;
    refunds.push({ cents, at: this.now });
    session.refunded = { ...refunded, pending: refunded.pending + cents };
    session.refundChangedAt = this.timeAfter(session);
    session.outcomeAt = this.isSandbox
      ? Math.min(session.outcomeAt ?? Infinity, this.now + outcomeDelay)
      : session.outcomeAt;
  }
  failRefund({ refunds }: Expected): void {
    const last = refunds.at(-1);
    if (last) last.failed = true;
  }
  refundsAt({ refunds }: Expected): RefundedCents {
    const sum = (those: typeof refunds) => those.reduce((total, { cents }) => total + cents, 0);
    const standing = refunds.filter(({ failed }) => !failed);
    const arrived = standing.filter(({ at }) => at + outcomeDelay <= this.now);
    const given = sum(arrived);
    return { given, pending: sum(standing) - given, failed: sum(refunds) - sum(standing) };
  }
  followRefunds(session: Expected): void {
    const found = this.refundsAt(session);
    if (found.given > session.refunded.given)
      this.moveRefunds(session, 'session.payment.refunded', { ...found, failed: session.refunded.failed });
    if (found.failed > session.refunded.failed) this.moveRefunds(session, 'session.payment.refund_failed', found);
  }
  moveRefunds(session: Expected, type: SessionEventType, refunded: RefundedCents): void {
    this.move(session, 'succeeded', type);
    Object.assign(session, { refunded, refundChangedAt: session.events.at(-1)?.[1] });
    if (refunded.given >= amountCents && this.claim === session) {
      this.claim = undefined;
      session.released = true;
    } else if (refunded.given < amountCents && session.released && !session.returned) {
      this.claim ??= session;
      session.released = false;
    }
  }
  simulate(session: Expected, user: SandboxUser): void {
    if (!this.payable(session) || (this.guard && this.claim)) return;
    const locked = session.attempts === maximumBankConnectionAttempts;
    this.connect(session, user);
    if (locked || !connectionOf(user).connects) return;
    this.authorize(session);
    if (user === 'user_sent') this.submit(session);
    else this.advance(session);
  }
  simulateExpiry(session: Expected): void {
    if (!this.payable(session)) return;
    session.expiresAt = this.timeAfter(session);
    this.expire(session, session.expiresAt);
  }
  /** Does nothing to a session that has ended or that can still be paid. */
  expire(session: Expected, now = this.now): void {
    if (session.status !== 'pending' || now < session.expiresAt) return;
    session.expired = true;
    this.move(session, 'cancelled', 'session.payment.cancelled', session.expiresAt);
  }
  requestLink(session: Expected): void {
    this.expire(session);
    const isTold = session.linkRequestedAt !== undefined && this.now < session.linkRequestedAt + day;
    if (!session.expired || isTold) return;
    this.move(session, 'cancelled', 'session.payment.link_requested');
    session.linkRequestedAt = session.events.at(-1)?.[1] ?? this.now;
  }
  advance(session: Expected): void {
    const recorded = () => (session.returned ? 2 : ['succeeded', 'failed'].includes(session.status) ? 1 : 0);
    const before = recorded();
    this.submit(session);
    if (recorded() > before || session.submittedAt === undefined || session.voided) return;
    const { total, times, happened } = this.outcomes(session);
    if (before === total) return;
    if (happened === before) session.advanced = [...times.slice(0, before), this.now];
    this.settle(session);
  }
  sweep(): void {
    for (const session of this.sessions) {
      this.expire(session);
      if (session.status === 'processing' && session.dueAt !== undefined && this.now >= session.dueAt)
        this.submit(session);
      if (session.outcomeAt !== undefined && this.now >= session.outcomeAt) this.settle(session);
    }
  }
}
