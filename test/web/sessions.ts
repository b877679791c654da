import type { SessionView } from '../../functions/contract/sessions/session-view.ts';

export const owed: SessionView = {
  status: 'pending',
  amountCents: 18_250,
  currency: 'USD',
  invoiceId: 'INV-1043',
  patient: { firstName: 'Maria', lastNameInitial: 'L' },
  practice: {
    name: 'Lakeside Family Dental',
    primaryColor: '#0f766e',
    supportPhone: '(555) 010-0142',
    supportPhoneUri: 'tel:5550100142',
    supportEmail: 'billing@lakeside.example',
    postalAddress: '120 Harbor Street\nSpringfield, IL 62701',
  },
  expiresAt: '2099-11-27T15:04:05.000Z',
  sessionLifetimeSeconds: 1800,
  bankConnectionAttemptsRemaining: 5,
  sandbox: true,
};

const bankAccount = { bankName: 'Sandbox Bank', accountType: 'checking', last4: '6789' } as const;
const authorizationText =
  'I, Maria Lopez, authorize Lakeside Family Dental and its payment processor to electronically debit my checking account at Sandbox Bank ending in 6789 once, ' +
  'for $182.50, for invoice INV-1043, on or after November 23, 2026, and, if necessary, to credit my account to correct an erroneous debit.\nI am an owner or ' +
  'authorized signer of this account.\nI can revoke this authorization by calling (555) 010-0142 or writing to billing@lakeside.example before the ' +
  'debit is sent to my bank, which may be within hours.\nIf the debit is returned unpaid, I still owe the amount.\n' +
  'Date: November 20, 2026 (US Eastern time)';

const { sessionLifetimeSeconds: _, ...started } = owed;
export const opened: SessionView = { ...started, openedAt: '2099-11-20T15:04:05.000Z' };
const patient = { firstName: 'Maria', lastNameInitial: 'L', lastName: 'Lopez' };
export const connected: SessionView = {
  ...opened,
  patient,
  bankAccount,
  payerName: 'Maria Lopez',
  authorization: { id: 'authorization-1', text: authorizationText, locale: 'en' },
  expectedDebitDate: '2026-11-23',
};

const receipt = {
  receiptNumber: 'RCP-4F7K2M9Q',
  authorizedAt: '2026-11-20T15:06:00.000Z',
  authorizationText,
  authorizationLocale: 'en',
  payerName: 'Maria Lopez',
  practice: {
    name: 'Lakeside Family Dental',
    supportPhone: '(555) 010-0142',
    supportEmail: 'billing@lakeside.example',
  },
  statementText: 'LAKESIDE FAMILY',
} as const;
const authorized = { ...opened, patient, bankAccount, receipt };
export const submitted: SessionView = { ...authorized, status: 'processing', expectedDebitDate: '2026-11-23' };
export const paid: SessionView = {
  ...authorized,
  status: 'succeeded',
  receipt: { ...receipt, settledAt: '2026-11-26T14:00:00.000Z', shownUntil: '2028-11-26T14:00:00.000Z' },
};
export const returned: SessionView = {
  ...paid,
  return: { code: 'insufficient_funds', achReturnCode: 'R01', returnedAt: '2026-12-02T14:00:00.000Z' },
};
const refundedAt = '2026-11-30T14:00:00.000Z';
export const refunded: SessionView = { ...paid, refund: { amountCents: 18_250, refundedAt } };
export const partlyRefunded: SessionView = { ...paid, refund: { amountCents: 5_000, refundedAt } };
export const refundPending: SessionView = {
  ...paid,
  refund: { amountCents: 18_250, pendingCents: 18_250, refundedAt },
};
export const failed: SessionView = {
  ...authorized,
  status: 'failed',
  failedAt: '2026-11-24T14:00:00.000Z',
  failure: { code: 'insufficient_funds', message: 'The account did not have enough money.', achReturnCode: 'R01' },
};
export const cancelled: SessionView = {
  ...started,
  status: 'cancelled',
  cancelledAt: '2026-11-21T09:00:00.000Z',
  cancellation: { reason: 'requested_by_practice' },
};
export const expired: SessionView = {
  ...started,
  status: 'cancelled',
  cancelledAt: '2026-11-27T15:04:05.000Z',
  cancellation: { reason: 'expired' },
  linkRequest: 'possible',
};
export const linkRequested: SessionView = { ...expired, linkRequest: 'made' };
const { patient: _patient, ...nameless } = started;
export const scrubbed: SessionView = {
  ...nameless,
  status: 'succeeded',
  scrubbedAt: '2028-12-01T06:00:00.000Z',
};
export const alreadyPaid: SessionView = { ...owed, blockedBy: 'invoice_already_paid' };
export const inProgress: SessionView = { ...owed, blockedBy: 'payment_in_progress' };
export const suspended: SessionView = { ...owed, blockedBy: 'practice_suspended' };
export const locked: SessionView = { ...opened, bankConnectionAttemptsRemaining: 0 };
