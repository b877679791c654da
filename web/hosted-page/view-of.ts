import type { FunctionComponent } from 'preact';
import type { SessionView } from '../../functions/contract/sessions/session-view.ts';
import type { BankStep, SessionPage } from './page-state.ts';
import type { PatientActions } from './payment-page.ts';
import { BankSignIn, ChooseBank } from './views/sandbox-bank.tsx';
import {
  Expired,
  Failed,
  LinkRequested,
  Locked,
  NotRequired,
  Paid,
  Refunded,
  Returned,
  Scrubbed,
  Submitted,
  Suspended,
  AlreadyPaid,
  PaymentInProgress,
  UnknownLink,
} from './views/outcomes.tsx';
import { isReceipt } from './parts/receipt.tsx';
import { Owed } from './views/owed.tsx';
import { Review } from './views/review.tsx';

export interface ViewProps {
  readonly page: SessionPage;
  readonly actions: PageActions;
}

interface PageActions extends PatientActions {
  startBankStep(): void;
  goToBankStep(step: BankStep): void;
  leaveBankStep(): void;
}

type View = FunctionComponent<ViewProps>;

const views: Record<SessionView['status'], (page: SessionPage) => View> = {
  pending: pendingView,
  processing: () => Submitted,
  succeeded: ({ session }) => (session.return ? Returned : isReceipt(session) ? Paid : Refunded),
  failed: () => Failed,
  cancelled: ({ session }) => (session.cancellation?.reason === 'expired' ? expiredView(session) : NotRequired),
};

function expiredView({ linkRequest }: SessionView): View {
  return linkRequest === 'made' ? LinkRequested : Expired;
}

const blockedViews: Record<NonNullable<SessionView['blockedBy']>, View> = {
  invoice_already_paid: AlreadyPaid,
  payment_in_progress: PaymentInProgress,
  practice_suspended: Suspended,
};

function pendingView({ session, bankStep }: SessionPage): View {
  const maySignIn = session.bankConnectionAttemptsRemaining > 0;
  if (session.blockedBy) return blockedViews[session.blockedBy];
  if (builtForMode === 'sandbox' && bankStep && maySignIn) return bankStep === 'banks' ? ChooseBank : BankSignIn;
  if (session.bankAccount && session.authorization) return Review;
  return maySignIn ? Owed : Locked;
}

/** Views that ask the patient to call, so that the footer shows no contact. */
const callingViews: readonly unknown[] = [
  Expired,
  Failed,
  LinkRequested,
  Locked,
  Refunded,
  Returned,
  Scrubbed,
  Suspended,
  UnknownLink,
];

export function hasContact(view: unknown): boolean {
  return callingViews.includes(view);
}

export function viewOf(page: SessionPage): View {
  return page.session.scrubbedAt === undefined ? views[page.session.status](page) : Scrubbed;
}
