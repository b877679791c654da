import type { TestSignIn } from '../../functions/contract/payments/patient-payment.ts';
import type { SessionView } from '../../functions/contract/sessions/session-view.ts';
import type { ProblemName } from './patient-api.ts';

type PickerNotice = 'picking_bank' | 'picker_silent' | 'picker_closed' | 'picker_failed' | 'picker_unavailable';
export type NoticeName = ProblemName | PickerNotice | 'checking_payment' | 'payment_not_seen';

/** Sandbox only: the list of banks, or the sign-in to one of them. */
export type BankStep = 'banks' | NonNullable<TestSignIn['bank']>;

export interface SessionPage {
  readonly kind: 'session';
  readonly session: SessionView;
  readonly bankStep: BankStep | undefined;
  readonly busy: boolean;
  readonly notice: NoticeName | undefined;
  /** The copy that the patient asked for. */
  readonly copy?: 'sent' | 'failed' | undefined;
}

export interface UnreachablePage {
  readonly kind: 'unreachable';
  readonly bankStep: BankStep | undefined;
  readonly busy: boolean;
  readonly triesAgainIn?: number;
}

interface UnknownLinkPage {
  readonly kind: 'unknown_link';
  readonly bankStep?: undefined;
}

export type PageState = SessionPage | UnreachablePage | UnknownLinkPage;

export function withFreshNotice(before: SessionView, page: SessionPage): SessionPage {
  const { status, blockedBy, authorization } = page.session;
  const cannotBePaid = status !== 'pending' || blockedBy !== undefined;
  if (page.busy && !(cannotBePaid && page.notice === 'picking_bank')) return page;
  if (cannotBePaid) return { ...page, busy: false, notice: undefined };
  const isOther = before.authorization && authorization && before.authorization.id !== authorization.id;
  return isOther && !page.bankStep ? { ...page, notice: 'authorization_changed' } : page;
}

/** In milliseconds. Longer than the API's 30 seconds, because a new network may deliver late. */
export const checkingTime = 40_000;

const maximumWait = 2 ** 31 - 1;

/** Most outcomes come within half a minute, or days later. */
function pollDelay(pollsSoFar: number): number {
  if (pollsSoFar < 15) return 2_000;
  if (pollsSoFar < 24) return 10_000;
  if (pollsSoFar < 40) return 30_000;
  return pollsSoFar < 90 ? 60_000 : 300_000;
}

export function untilNextQuestion(
  state: PageState | undefined,
  pollsSoFar: number,
  serverNow: number,
): number | undefined {
  if (state?.kind === 'session') return untilSessionChanges(state, pollsSoFar, serverNow);
  if (state?.kind !== 'unreachable' || state.busy) return undefined;
  // A browser can say that it is online before the first request gets through.
  return Math.max(state.triesAgainIn ?? 5_000, pollDelay(pollsSoFar));
}

function untilSessionChanges(
  { session, busy, notice }: SessionPage,
  pollsSoFar: number,
  serverNow: number,
): number | undefined {
  const isPicking = notice === 'picking_bank';
  if (notice === 'checking_payment') return 2_000;
  if (busy && !isPicking) return undefined;
  switch (session.status) {
    case 'pending': {
      const mayChangeByItself = session.blockedBy !== undefined || notice === 'payment_not_seen';
      const left = Date.parse(session.expiresAt) - serverNow;
      // If the page's clock is ahead, it must not poll in a tight loop.
      const untilExpired = left > 0 ? left + 500 : 15_000;
      // The practice may cancel while the patient is at the bank.
      if (isPicking || notice === 'picker_silent') return Math.min(untilExpired, 15_000);
      return Math.min(untilExpired, mayChangeByItself ? pollDelay(pollsSoFar) : maximumWait);
    }
    case 'processing':
      return pollDelay(pollsSoFar);
    case 'succeeded':
      // A bank can return a payment weeks later, but only once.
      if (session.return) return undefined;
      return pollsSoFar < 10 ? 60_000 : 300_000;
    case 'failed':
    case 'cancelled':
      return undefined;
  }
}
