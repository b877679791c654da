import type { EventFilters, ListedEvent } from './events.ts';
import type { OpenedPayout, Payout, PayoutFilters } from './payouts.ts';
import type { Practice, CreatedPractice, ListedPractice, NewPractice, OpenedPractice } from './practices.ts';
import type { RequestOptions } from './send.ts';
import type {
  CancelledSession,
  CreatedSession,
  ErasedInvoice,
  ErasedPatient,
  NewSession,
  Page,
  PageRequest,
  Session,
  SessionAuthorization,
  SessionFilters,
} from './sessions.ts';
import type {
  CreatedWebhookEndpoint,
  DeletedWebhookEndpoint,
  DeliveryFilters,
  NewWebhookEndpoint,
  ResentEvent,
  RotatedSecret,
  SecretRotation,
  SentTestEvent,
  StartedReplay,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointChange,
} from './webhook-endpoints.ts';

export interface RepeatableOptions extends RequestOptions {
  /**
   * If absent, the client makes a new key for the call and its retries. Pass your own so that a later run of your program
   * can repeat the request safely.
   */
  idempotencyKey?: string;
}

/**
 * Every call throws `PaymentProblem` if the request is refused and `PaymentConnectionError` if no answer arrives.
 * A call that cannot be sent, such as one with an invalid date, throws `TypeError` or `RangeError` at once.
 */
export interface PaymentClient {
  readonly practice: {
    /** Whose key the client uses, in which mode, and what it may do. */
    get(options?: RequestOptions): Promise<Practice>;
  };
  readonly sessions: {
    create(session: NewSession, options?: RepeatableOptions): Promise<CreatedSession>;
    /** The session as it is now. */
    get(sessionId: string, options?: RequestOptions): Promise<Session>;
    /** Yields every session, newest first. Holds one page at a time. */
    list(filters?: SessionFilters, options?: RequestOptions): AsyncGenerator<Session, void, undefined>;
    listPage(page?: SessionFilters & PageRequest, options?: RequestOptions): Promise<Page<Session>>;
    /** Cancels a session. This is not a refund. */
    cancel(sessionId: string, options?: RepeatableOptions): Promise<CancelledSession>;
    /** What to show a bank that asks. Requires a key with the scope `authorizations:read`. */
    getAuthorization(sessionId: string, options?: RequestOptions): Promise<SessionAuthorization>;
    /** Removes names, bank account and `metadata` from a session that has ended. It cannot be undone. */
    erasePatient(sessionId: string, options?: RequestOptions): Promise<ErasedPatient>;
    /** Does the same for every ended session of an invoice. Sends one request for each ten sessions. */
    erasePatientOfInvoice(invoiceId: string, options?: RequestOptions): Promise<ErasedInvoice>;
  };
  readonly events: {
    /** Yields every event of the last 30 days, newest first. Holds one page at a time. */
    list(filters?: EventFilters, options?: RequestOptions): AsyncGenerator<ListedEvent, void, undefined>;
    listPage(page?: EventFilters & PageRequest, options?: RequestOptions): Promise<Page<ListedEvent>>;
  };
  /** Requires a key with the scope `payouts:read`. Empty in a sandbox. */
  readonly payouts: {
    /** A payout with the invoices that it is for. */
    get(payoutId: string, options?: RequestOptions): Promise<OpenedPayout>;
    /** Yields every payout, newest first. Holds one page at a time. */
    list(filters?: PayoutFilters, options?: RequestOptions): AsyncGenerator<Payout, void, undefined>;
    listPage(page?: PayoutFilters & PageRequest, options?: RequestOptions): Promise<Page<Payout>>;
  };
  /** Requires a key with the scope `webhooks:write`. Only reads and `create` are retried. */
  readonly webhookEndpoints: {
    list(options?: RequestOptions): Promise<WebhookEndpoint[]>;
    get(endpointId: string, options?: RequestOptions): Promise<WebhookEndpoint>;
    create(endpoint: NewWebhookEndpoint, options?: RepeatableOptions): Promise<CreatedWebhookEndpoint>;
    change(endpointId: string, change: WebhookEndpointChange, options?: RequestOptions): Promise<WebhookEndpoint>;
    delete(endpointId: string, options?: RequestOptions): Promise<DeletedWebhookEndpoint>;
    rotateSecret(endpointId: string, rotation?: SecretRotation, options?: RequestOptions): Promise<RotatedSecret>;
    /** Sends a `webhook.test` event. */
    test(endpointId: string, options?: RequestOptions): Promise<SentTestEvent>;
    /** Yields every delivery of the last 30 days, newest first. Holds one page at a time. */
    listDeliveries(
      endpointId: string,
      filters?: DeliveryFilters,
      options?: RequestOptions,
    ): AsyncGenerator<WebhookDelivery, void, undefined>;
    listDeliveryPage(
      endpointId: string,
      page?: DeliveryFilters & PageRequest,
      options?: RequestOptions,
    ): Promise<Page<WebhookDelivery>>;
    /** Sends an event again, with the same ID. */
    resend(endpointId: string, eventId: string, options?: RequestOptions): Promise<ResentEvent>;
    /** Sends again what failed or was skipped since then. Safe to repeat. */
    replay(endpointId: string, since: Date | string, options?: RequestOptions): Promise<StartedReplay>;
  };
  /** The practices of your platform. Requires a platform's key with the scope `practices:write`. */
  readonly practices: {
    create(practice: NewPractice, options?: RepeatableOptions): Promise<CreatedPractice>;
    get(practiceId: string, options?: RequestOptions): Promise<OpenedPractice>;
    /** Yields every practice, sorted by ID. Holds one page at a time. */
    list(options?: RequestOptions): AsyncGenerator<ListedPractice, void, undefined>;
    listPage(page?: PageRequest, options?: RequestOptions): Promise<Page<ListedPractice>>;
    /** Stops new sessions and authorizations. */
    suspend(practiceId: string, options?: RequestOptions): Promise<ListedPractice>;
    /** Ends your suspension. */
    resume(practiceId: string, options?: RequestOptions): Promise<ListedPractice>;
    /** Production only. The page of the payment processor where the practice sets up its deposits. It works once. */
    createOnboardingLink(practiceId: string, options?: RequestOptions): Promise<{ url: string }>;
  };
  /** Sandbox only. Not retried. */
  readonly sandbox: {
    /** Does what a patient would, then performs the bank's first outcome without its delay. */
    simulate(sessionId: string, as: TestUser | 'expire', options?: RequestOptions): Promise<Session>;
    /** Performs the bank's next outcome now, such as a late return. */
    advance(sessionId: string, options?: RequestOptions): Promise<Session>;
  };
}

export type TestUser =
  | 'user_good'
  | 'user_bad'
  | 'user_bank_down'
  | 'user_insufficient_funds'
  | 'user_account_closed'
  | 'user_declined'
  | 'user_processor_error'
  | 'user_stuck'
  | 'user_sent'
  | 'user_late_return';
