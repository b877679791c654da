import type { EventFilters, ListedEvent } from './events.ts';
import { send, type Connection, type Query, type RequestOptions } from './send.ts';
import type {
  CancelledSession,
  CreatedSession,
  NewSession,
  Page,
  PageRequest,
  Session,
  SessionFilters,
} from './sessions.ts';

export interface ClientOptions {
  /** Such as `https://api.example.com`. Plain http only on this machine. */
  apiUrl: string;
  /** Keep it on your server. */
  apiKey: string;
  /** Milliseconds for each attempt; 30,000 if absent. */
  timeout?: number;
  /** 4 if absent; 1 turns retries off. */
  maximumAttempts?: number;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface RepeatableOptions extends RequestOptions {
  /** New for each new request; retries reuse it. Without one of yours, a later run of your program cannot repeat this request. */
  idempotencyKey?: string;
}

/** Every call throws `PaymentProblem` for a refusal and `PaymentConnectionError` if no answer arrived. */
export interface PaymentClient {
  readonly sessions: {
    create(session: NewSession, options?: RepeatableOptions): Promise<CreatedSession>;
    /** The session as it is now. */
    get(sessionId: string, options?: RequestOptions): Promise<Session>;
    /** Every session, newest first; it holds one page at a time. */
    list(filters?: SessionFilters, options?: RequestOptions): AsyncGenerator<Session, void, undefined>;
    listPage(page?: SessionFilters & PageRequest, options?: RequestOptions): Promise<Page<Session>>;
    /** Not a refund. */
    cancel(sessionId: string, options?: RepeatableOptions): Promise<CancelledSession>;
  };
  readonly events: {
    /** Every event of the last 30 days, newest first; it holds one page at a time. */
    list(filters?: EventFilters, options?: RequestOptions): AsyncGenerator<ListedEvent, void, undefined>;
    listPage(page?: EventFilters & PageRequest, options?: RequestOptions): Promise<Page<ListedEvent>>;
  };
}

const sessionsPath = '/api/practice/sessions';
const largestPage = 100;

/** @throws {TypeError} without a URL or an API key. */
export function createPaymentClient(options: ClientOptions): PaymentClient {
  const connection = connectionOf(options);

  function post<Answer>(path: string, body: object | undefined, { idempotencyKey, ...rest }: RepeatableOptions) {
    const key = idempotencyKey ?? crypto.randomUUID();
    return send<Answer>(connection, { method: 'POST', path, ...(body && { body }), idempotencyKey: key }, rest);
  }

  function get<Answer>(path: string, options?: RequestOptions, query?: Query) {
    return send<Answer>(connection, { method: 'GET', path, ...(query && { query }) }, options);
  }

  function listOf<Item, Filters extends SessionFilters | EventFilters>(path: string) {
    const listPage = (page?: Filters & PageRequest, request?: RequestOptions) => get<Page<Item>>(path, request, page);
    return { listPage, list: (filters?: Filters, request?: RequestOptions) => itemsOf(listPage, filters, request) };
  }

  return {
    sessions: {
      ...listOf<Session, SessionFilters>(sessionsPath),
      create: (session, request = {}) => post(sessionsPath, session, request),
      get: (sessionId, request) => get(`${sessionPath(sessionId)}/status`, request),
      cancel: (sessionId, request = {}) => post(`${sessionPath(sessionId)}/cancel`, undefined, request),
    },
    events: listOf<ListedEvent, EventFilters>('/api/practice/events'),
  };
}

function connectionOf({ apiUrl, apiKey, timeout = 30_000, maximumAttempts = 4, fetch }: ClientOptions): Connection {
  const { protocol, hostname, origin } = new URL(apiUrl);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal))
    throw new TypeError('apiUrl must begin with https://');
  if (apiKey === '') throw new TypeError('apiKey is empty');
  return {
    apiUrl: origin,
    apiKey,
    timeout,
    maximumAttempts,
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
  };
}

function sessionPath(sessionId: string): string {
  return `${sessionsPath}/${encodeURIComponent(sessionId)}`;
}

async function* itemsOf<Item, Filters>(
  listPage: (page: Filters & PageRequest, request?: RequestOptions) => Promise<Page<Item>>,
  filters: Filters,
  request: RequestOptions | undefined,
): AsyncGenerator<Item, void, undefined> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await listPage({ ...filters, limit: largestPage, ...(cursor !== undefined && { cursor }) }, request);
    yield* page.data;
    cursor = page.nextCursor;
  }
}
