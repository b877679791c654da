import type { SessionView } from '../../functions/contract/patient-api/session-view.ts';
import type { ProblemName } from './patient-api.ts';

/** What to tell the patient about the last action: why it was refused, or that its outcome is not known yet. */
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
  /** Milliseconds until the page retries; undefined if it waits for the patient or the connection. */
  readonly triesAgainIn?: number;
}

export type PageState = SessionPage | UnreachablePage | { readonly kind: 'unknown_link' };

/** Whether the session can be paid online: only a sandbox has banks to connect so far. */
export function canBePaid({ sandbox }: SessionView): boolean {
  return sandbox;
}

/**
 * Updates the notice of a page that has moved on from the session `before`. A finished session needs no notice; a
 * changed authorization does. While an action is running, its answer sets the notice.
 */
export function withFreshNotice(before: SessionView, page: SessionPage): SessionPage {
  const { status, blockedBy, authorization } = page.session;
  if (page.busy) return page;
  if (status !== 'pending' || blockedBy) return { ...page, notice: undefined };
  const isOther = before.authorization && authorization && before.authorization.id !== authorization.id;
  return isOther && !page.signingIn ? { ...page, notice: 'authorization_changed' } : page;
}
