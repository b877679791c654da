import type { TestSignIn } from '../../functions/contract/payments/connect-bank.ts';
import type { SessionView } from '../../functions/contract/sessions/session-view.ts';
import type { ProblemName } from './patient-api.ts';

type PickerNotice = 'picking_bank' | 'picker_closed' | 'picker_failed' | 'picker_unavailable';
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
  if (page.busy) return page;
  if (status !== 'pending' || blockedBy) return { ...page, notice: undefined };
  const isOther = before.authorization && authorization && before.authorization.id !== authorization.id;
  return isOther && !page.bankStep ? { ...page, notice: 'authorization_changed' } : page;
}
