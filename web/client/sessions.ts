export type SessionStatus = 'pending' | 'processing' | 'succeeded' | 'failed' | 'cancelled';

export interface NewSession {
  /** Your ID for the invoice. Returned with the session and in webhooks. */
  invoiceId: string;
  /** US cents. Production refuses less than 50. */
  amountCents: number;
  patient: { firstName: string; lastName: string };
  /** Your own data, returned with the session and in webhooks. Never send health or account data. */
  metadata?: Record<string, string>;
  /** The language that the page opens in. */
  locale?: 'en' | 'es';
  /** An https URL, shown as a link back to you at the end. */
  returnUrl?: string;
}

export interface CreatedSession {
  sessionId: string;
  /** The link to send to the patient. Whoever has it can pay: treat it as a secret. */
  hostedUrl: string;
  status: 'pending';
  amountCents: number;
  expiresAt: string;
  createdAt: string;
  /** Why the session cannot be paid now. */
  blockedBy?: InvoiceBlock;
}

/** Another session has paid, or is paying, the invoice. */
export type InvoiceBlock = 'invoice_already_paid' | 'payment_in_progress';

/** Times are ISO 8601 in UTC. A fact that does not exist is absent. */
export interface Session {
  sessionId: string;
  invoiceId: string;
  status: SessionStatus;
  /** US cents. */
  amountCents: number;
  createdAt: string;
  metadata: Record<string, string>;
  /** When a pending session expires, or would have expired. */
  expiresAt: string;
  /** When the patient started on the page. */
  openedAt?: string;
  /** Why a pending session cannot be paid now. `bank_connection_locked`: its bank sign-ins are used up. */
  blockedBy?: InvoiceBlock | 'bank_connection_locked';
  /** When the patient authorized the debit. */
  processingAt?: string;
  /** When the funds were confirmed. */
  settledAt?: string;
  failedAt?: string;
  failure?: Failure;
  cancelledAt?: string;
  cancellation?: Cancellation;
  /** The bank returned the settled debit; `status` stays `succeeded`. */
  return?: Return;
  /** How much of a payment was refunded; its `status` stays `succeeded`. */
  refund?: Refund;
  /** When names, bank account and `metadata` were removed. */
  scrubbedAt?: string;
}

export interface Refund {
  /** US cents, refunded or on their way. */
  amountCents: number;
  /** When it last changed. */
  refundedAt: string;
  /** The status of the last refund. */
  status?: 'pending' | 'succeeded' | 'failed';
  /** US cents on their way. */
  pendingCents?: number;
  /** US cents that the bank did not take: you still owe them to the patient. */
  failedCents?: number;
}

export type ReturnCode =
  | 'insufficient_funds'
  | 'account_closed'
  | 'account_not_found'
  | 'debit_not_authorized'
  | 'account_frozen'
  | 'bank_declined'
  | 'processor_error';

export type FailureCode =
  | ReturnCode
  | 'account_unusable'
  | 'practice_account_restricted'
  | 'processor_limit_exceeded'
  | 'authorization_invalid'
  | 'authorization_expired';

export interface Failure {
  code: FailureCode;
  message: string;
  /** For example, `R01`. Absent if the bank gave none. */
  achReturnCode?: string;
}

export interface Cancellation {
  reason: 'requested_by_practice' | 'expired';
}

export interface Return {
  code: ReturnCode;
  achReturnCode?: string;
  returnedAt: string;
}

export interface CancelledSession {
  sessionId: string;
  status: 'cancelled';
  cancelledAt: string;
}

export interface ErasedPatient {
  sessionId: string;
  scrubbedAt: string;
  /** How long the proof of authorization is kept. Absent if there is none. */
  evidenceKeptUntil?: string;
}

export interface ErasedInvoice {
  erased: ErasedPatient[];
  /** Nothing was removed from these: cancel them or wait for the outcome, then call again. */
  notEnded: { sessionId: string; sessionStatus: SessionStatus }[];
}

export interface SessionAuthorization {
  sessionId: string;
  invoiceId: string;
  amountCents: number;
  /** What was accepted, word for word. */
  text: string;
  locale: 'en' | 'es';
  /** The SHA-256 hash of the text, in base64url. */
  textHash: string;
  authorizedAt: string;
  /** The name on the bank account. Absent if the page did not ask for it yet. */
  payerName?: string;
  bankAccount: { bankName: string; accountType: 'checking' | 'savings'; last4: string };
  /** The references by which a bank can find the debit, as far as the processor provides them right now. */
  references: { mandate?: string; payment?: string; routingNumberLast4?: string };
}

export interface SessionFilters {
  /** Only sessions with this status, or with one of these. */
  status?: SessionStatus | readonly SessionStatus[];
  invoiceId?: string;
  /** Only sessions created at this time or later. */
  createdSince?: Date | string;
  /** Only sessions created before this time. */
  createdBefore?: Date | string;
  /** Only sessions whose debit the bank returned. */
  returned?: true;
}

/** Only `nextCursor: null` ends a list. A page before that can be short or even empty. */
export interface Page<Item> {
  data: Item[];
  nextCursor: string | null;
}

export interface PageRequest {
  /** 1 to 100; 25 if absent. */
  limit?: number;
  /** The `nextCursor` of the previous page, with the same filters. */
  cursor?: string;
}
