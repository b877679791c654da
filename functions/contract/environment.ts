export const tableVariables = {
  sessions: 'SESSIONS_TABLE',
  events: 'EVENTS_TABLE',
  authorizations: 'AUTHORIZATIONS_TABLE',
  idempotencyKeys: 'IDEMPOTENCY_KEYS_TABLE',
  invoiceClaims: 'INVOICE_CLAIMS_TABLE',
  practices: 'PRACTICES_TABLE',
  platforms: 'PLATFORMS_TABLE',
  apiKeys: 'API_KEYS_TABLE',
  webhookEndpoints: 'WEBHOOK_ENDPOINTS_TABLE',
  deliveries: 'DELIVERIES_TABLE',
  attempts: 'ATTEMPTS_TABLE',
  sandboxDebits: 'SANDBOX_DEBITS_TABLE',
  processorDebits: 'PROCESSOR_DEBITS_TABLE',
  processorEvents: 'PROCESSOR_EVENTS_TABLE',
  bookings: 'BOOKINGS_TABLE',
  payouts: 'PAYOUTS_TABLE',
  reconciliations: 'RECONCILIATIONS_TABLE',
  signIns: 'SIGN_INS_TABLE',
  dashboardSessions: 'DASHBOARD_SESSIONS_TABLE',
  members: 'MEMBERS_TABLE',
  invitations: 'INVITATIONS_TABLE',
  auditLog: 'AUDIT_LOG_TABLE',
  rateLimits: 'RATE_LIMITS_TABLE',
} as const;

export type Table = keyof typeof tableVariables;

export const queueVariables = {
  debits: 'DEBITS_QUEUE_URL',
  expirations: 'EXPIRATIONS_QUEUE_URL',
  settlements: 'SETTLEMENTS_QUEUE_URL',
  deliveries: 'DELIVERIES_QUEUE_URL',
  mails: 'MAILS_QUEUE_URL',
  unreadableEvents: 'UNREADABLE_EVENTS_QUEUE_URL',
} as const;

export type Queue = keyof typeof queueVariables;

/** The mode is not here: it is the build-time constant `builtForMode`. */
export const settingVariables = {
  /** The practice API's address. */
  apiUrl: 'API_URL',
  hostedPageUrl: 'HOSTED_PAGE_URL',
  /** The hosted page's bucket, which also holds the logos. */
  pageBucket: 'PAGE_BUCKET',
  eventBusName: 'EVENT_BUS_NAME',
  dashboardUrl: 'DASHBOARD_URL',
  /** The base of a problem's `type`. */
  docsUrl: 'DOCS_URL',
  oidcIssuer: 'OIDC_ISSUER',
  oidcClientId: 'OIDC_CLIENT_ID',
  /** The ID of a secret in Secrets Manager. */
  oidcClientSecretId: 'OIDC_CLIENT_SECRET_ID',
  /** Absent if the stack has no user pool of its own. */
  userPoolId: 'USER_POOL_ID',
  /** Absent if the stack sends no email. */
  mailFrom: 'MAIL_FROM',
  sandboxOutcomeDelay: 'SANDBOX_OUTCOME_DELAY_MILLISECONDS',
  /** Set only on a local stack, where webhooks may go to loopback addresses. */
  allowLoopbackWebhooks: 'ALLOW_LOOPBACK_WEBHOOKS',
  metricsNamespace: 'METRICS_NAMESPACE',
  /** Production only. */
  evidenceBucket: 'EVIDENCE_BUCKET',
} as const;

/** Production only. Not in `settingVariables`, so that no sandbox bundle names the processor. */
export const stripeVariables = {
  /** The ID of a secret in Secrets Manager. */
  secretId: 'STRIPE_SECRET_ID',
  apiBase: 'STRIPE_API_BASE',
  chargeType: 'STRIPE_CHARGE_TYPE',
  /** Set only on a local stack: with a test key, no money moves, yet patients are told that they paid. */
  allowTestKeys: 'STRIPE_ALLOW_TEST_KEYS',
} as const;
