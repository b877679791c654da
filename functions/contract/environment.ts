/** The tables, and the variables by which a function learns their names. */
export const tableVariables = {
  sessions: 'SESSIONS_TABLE',
  events: 'EVENTS_TABLE',
  authorizations: 'AUTHORIZATIONS_TABLE',
  idempotencyKeys: 'IDEMPOTENCY_KEYS_TABLE',
  invoiceClaims: 'INVOICE_CLAIMS_TABLE',
  practices: 'PRACTICES_TABLE',
  apiKeys: 'API_KEYS_TABLE',
  webhookEndpoints: 'WEBHOOK_ENDPOINTS_TABLE',
  deliveries: 'DELIVERIES_TABLE',
  attempts: 'ATTEMPTS_TABLE',
  sandboxDebits: 'SANDBOX_DEBITS_TABLE',
} as const;

export type Table = keyof typeof tableVariables;

/** The queues that functions send messages to, and the variables that hold their URLs. */
export const queueVariables = {
  debits: 'DEBITS_QUEUE_URL',
  settlements: 'SETTLEMENTS_QUEUE_URL',
  deliveries: 'DELIVERIES_QUEUE_URL',
  unreadableEvents: 'UNREADABLE_EVENTS_QUEUE_URL',
} as const;

export type Queue = keyof typeof queueVariables;

/** All other variables. A function's mode is not among them: it is built in (`builtForMode`). */
export const settingVariables = {
  /** Where patients' links lead, without a path. */
  hostedPageUrl: 'HOSTED_PAGE_URL',
  eventBusName: 'EVENT_BUS_NAME',
  /** Milliseconds until the sandbox bank reports an outcome. */
  sandboxOutcomeDelay: 'SANDBOX_OUTCOME_DELAY_MILLISECONDS',
  /** `true` only on a local stack: webhooks may go to this machine. */
  allowLoopbackWebhooks: 'ALLOW_LOOPBACK_WEBHOOKS',
  /** Where the function's metrics are counted. */
  metricsNamespace: 'METRICS_NAMESPACE',
} as const;
