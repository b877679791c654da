import type { SessionView } from '../../functions/contract/patient-api/session-view.ts';
import type { ProblemName } from './patient-api.ts';

export type NoticeName = ProblemName | 'checking_payment' | 'payment_not_seen';

export interface SessionPage {
  readonly kind: 'session';
  readonly session: SessionView;
  readonly signingIn: boolean;
  readonly busy: boolean;
  readonly notice: NoticeName | undefined;
}

export interface UnreachablePage {
  readonly kind: 'unreachable';
  readonly signingIn: boolean;
  readonly busy: boolean;
  readonly triesAgainIn?: number;
}

export type PageState = SessionPage | UnreachablePage | { readonly kind: 'unknown_link' };

/** Only a sandbox has banks to connect so far. */
export function canBePaid({ sandbox }: SessionView): boolean {
  return sandbox;
}

export function withFreshNotice(before: SessionView, page: SessionPage): SessionPage {
  const { status, blockedBy, authorization } = page.session;
  if (page.busy) return page;
  if (status !== 'pending' || blockedBy) return { ...page, notice: undefined };
  const isOther = before.authorization && authorization && before.authorization.id !== authorization.id;
  return isOther && !page.signingIn ? { ...page, notice: 'authorization_changed' } : page;
}
