import type { EventFilters, ListedEvent } from './events.ts';
import type { PaymentClient, RepeatableOptions } from './payment-client.ts';
import type { Payout, PayoutFilters } from './payouts.ts';
import type { ListedPractice } from './practices.ts';
import { checkHeader, send, type Connection, type Query, type RequestOptions } from './send.ts';
import type { ErasedInvoice, Page, PageRequest, Session, SessionFilters } from './sessions.ts';
import type { DeliveryFilters, WebhookDelivery, WebhookEndpoint } from './webhook-endpoints.ts';

export interface ClientOptions {
  /** For example, `https://api.example.com`, with a path if your proxy has one. Plain http works only on this machine. */
  apiUrl: string;
  /** Keep it on your server. */
  apiKey: string;
  /** The practice that the calls are about. Use it only with a platform's key. */
  practiceId?: string;
  /** Whole milliseconds per attempt, at least 1. 30,000 if absent. */
  timeout?: number;
  /** 4 if absent. 1 turns retries off. */
  maximumAttempts?: number;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

const largestPage = 100;

/** @throws {TypeError} if the URL or the API key is missing or invalid. */
export function createPaymentClient(options: ClientOptions): PaymentClient {
  const connection = connectionOf(options);

  function get<Answer>(path: string, options?: RequestOptions, query?: Query) {
    return send<Answer>(connection, { method: 'GET', path, ...(query && { query }) }, options);
  }

  function post<Answer>(path: string, body?: object, options?: RequestOptions) {
    return send<Answer>(connection, { method: 'POST', path, ...(body && { body }) }, options);
  }

  function postWithKey<Answer>(
    path: string,
    body: object | undefined,
    { idempotencyKey = crypto.randomUUID(), ...options }: RepeatableOptions = {},
  ) {
    return send<Answer>(connection, { method: 'POST', path, ...(body && { body }), idempotencyKey }, options);
  }

  /** Sends a POST that is safe to repeat without a key. */
  function repeatable<Answer>(path: string, options?: RequestOptions) {
    return send<Answer>(connection, { method: 'POST', path, isIdempotent: true }, options);
  }

  function listOf<Item, Filters extends SessionFilters | EventFilters | PayoutFilters | DeliveryFilters>(path: string) {
    const listPage = (page?: Filters & PageRequest, options?: RequestOptions) => get<Page<Item>>(path, options, page);
    return { listPage, list: (filters?: Filters, options?: RequestOptions) => itemsOf(listPage, filters, options) };
  }

  const [sessions, endpoints] = ['/api/practice/sessions', '/api/practice/webhook-endpoints'];
  const payouts = '/api/practice/payouts';
  const session = (sessionId: string) => `${sessions}/${encodeURIComponent(sessionId)}`;
  const simulated = (sessionId: string) => `/api/practice/sandbox/sessions/${encodeURIComponent(sessionId)}`;
  const endpoint = (endpointId: string) => `${endpoints}/${encodeURIComponent(endpointId)}`;

  const deliveriesOf = (endpointId: string) =>
    listOf<WebhookDelivery, DeliveryFilters>(`${endpoint(endpointId)}/deliveries`);

  const practices = '/api/platform/practices';
  const practice = (practiceId: string) => `${practices}/${encodeURIComponent(practiceId)}`;
  const listed = listOf<ListedPractice, EventFilters>(practices);

  return {
    practice: { get: (options) => get('/api/practice', options) },
    sessions: {
      ...listOf<Session, SessionFilters>(sessions),
      create: (body, options) => postWithKey(sessions, body, options),
      get: (sessionId, options) => get(`${session(sessionId)}/status`, options),
      cancel: (sessionId, options) => postWithKey(`${session(sessionId)}/cancel`, undefined, options),
      getAuthorization: (sessionId, options) => get(`${session(sessionId)}/authorization`, options),
      erasePatient: (sessionId, options) => repeatable(`${session(sessionId)}/erase-patient`, options),
      erasePatientOfInvoice: async (invoiceId, options) => {
        const all: ErasedInvoice = { erased: [], notEnded: [] };
        for (let cursor: string | null | undefined; cursor !== null;) {
          const body = { invoiceId, ...(cursor !== undefined && { cursor }) };
          const request = {
            method: 'POST',
            path: '/api/practice/invoices/erase-patient',
            body,
            isIdempotent: true,
          } as const;
          const page = await send<ErasedInvoice & { nextCursor: string | null }>(connection, request, options);
          all.erased.push(...page.erased);
          all.notEnded.push(...page.notEnded);
          cursor = page.nextCursor;
        }
        return all;
      },
    },
    payouts: {
      ...listOf<Payout, PayoutFilters>(payouts),
      get: (payoutId, options) => get(`${payouts}/${encodeURIComponent(payoutId)}`, options),
    },
    events: listOf<ListedEvent, EventFilters>('/api/practice/events'),
    webhookEndpoints: {
      list: async (options) => (await get<{ data: WebhookEndpoint[] }>(endpoints, options)).data,
      get: (endpointId, options) => get(endpoint(endpointId), options),
      create: (body, options) => postWithKey(endpoints, body, options),
      change: (endpointId, change, options) => post(endpoint(endpointId), change, options),
      delete: (endpointId, options) => send(connection, { method: 'DELETE', path: endpoint(endpointId) }, options),
      rotateSecret: (endpointId, rotation, options) => post(`${endpoint(endpointId)}/rotate-secret`, rotation, options),
      test: (endpointId, options) => post(`${endpoint(endpointId)}/test`, undefined, options),
      listDeliveries: (endpointId, filters, options) => deliveriesOf(endpointId).list(filters, options),
      listDeliveryPage: (endpointId, page, options) => deliveriesOf(endpointId).listPage(page, options),
      resend: (endpointId, eventId, options) =>
        post(`${endpoint(endpointId)}/deliveries/${encodeURIComponent(eventId)}/resend`, undefined, options),
      replay: (endpointId, since, options) =>
        post(`${endpoint(endpointId)}/replay`, { since: new Date(since).toISOString() }, options),
    },
    practices: {
      listPage: listed.listPage,
      list: (options) => listed.list({}, options),
      create: (body, options) => postWithKey(practices, body, options),
      get: (practiceId, options) => get(practice(practiceId), options),
      suspend: (practiceId, options) => repeatable(`${practice(practiceId)}/suspend`, options),
      resume: (practiceId, options) => repeatable(`${practice(practiceId)}/resume`, options),
      createOnboardingLink: (practiceId, options) => repeatable(`${practice(practiceId)}/onboarding-link`, options),
    },
    sandbox: {
      simulate: (sessionId, as, options) => post(`${simulated(sessionId)}/simulate`, { as }, options),
      advance: (sessionId, options) => post(`${simulated(sessionId)}/advance`, undefined, options),
    },
  };
}

function connectionOf({
  apiUrl,
  apiKey,
  practiceId,
  timeout = 30_000,
  maximumAttempts = 4,
  fetch,
}: ClientOptions): Connection {
  if (!URL.canParse(apiUrl)) throw new TypeError('apiUrl is not a URL');
  const { protocol, hostname, origin, pathname, username, password, href } = new URL(apiUrl);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal))
    throw new TypeError('apiUrl must begin with https://. Only localhost, 127.0.0.1 and [::1] may use http://');
  if (username !== '' || password !== '') throw new TypeError('apiUrl must not have a user name or a password');
  if (/[?#]/.test(href)) throw new TypeError('apiUrl must end with its path, without a query or a fragment');
  if (apiKey === '') throw new TypeError('apiKey is empty');
  checkHeader('apiKey', apiKey);
  if (practiceId === '') throw new TypeError('practiceId is empty');
  checkHeader('practiceId', practiceId ?? '');
  return {
    apiUrl: origin + pathname.replace(/\/+$/, ''),
    apiKey,
    practiceId,
    timeout,
    maximumAttempts,
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
  };
}

async function* itemsOf<Item, Filters>(
  listPage: (page: Filters & PageRequest, options?: RequestOptions) => Promise<Page<Item>>,
  filters: Filters,
  options: RequestOptions | undefined,
): AsyncGenerator<Item, void, undefined> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await listPage({ ...filters, limit: largestPage, ...(cursor !== undefined && { cursor }) }, options);
    yield* page.data;
    cursor = page.nextCursor;
  }
}
