import type { EventFilters } from './events.ts';
import { PaymentConnectionError, PaymentProblem } from './problems.ts';
import type { PageRequest, SessionFilters } from './sessions.ts';
import type { DeliveryFilters } from './webhook-endpoints.ts';

export interface RequestOptions {
  /** Ends the request and its retries; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Whole milliseconds per attempt, at least 1. */
  timeout?: number;
  /** 1 turns retries off. */
  maximumAttempts?: number;
}

export interface Connection extends Required<Pick<RequestOptions, 'timeout' | 'maximumAttempts'>> {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly practiceId: string | undefined;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

export type Query = (SessionFilters & EventFilters & PageRequest) | (DeliveryFilters & PageRequest);

/** Longer timers fire at once. */
const longestTimeout = 2 ** 31 - 1;

interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Query;
  readonly body?: object;
  readonly idempotencyKey?: string;
  /** Set it for a POST without a key that is safe to repeat. Others are never retried. */
  readonly isIdempotent?: boolean;
}

/**
 * Retries 429, 5xx, network faults and timeouts.
 * @throws {PaymentProblem} for a refusal.
 * @throws {PaymentConnectionError} if no answer arrived.
 * @throws {TypeError | RangeError} before anything is sent, if the request cannot be.
 */
export async function send<Answer>(
  connection: Connection,
  request: ApiRequest,
  options: RequestOptions = {},
): Promise<Answer> {
  const { signal, timeout = connection.timeout, maximumAttempts = connection.maximumAttempts } = options;
  const { method, idempotencyKey, isIdempotent = method === 'GET' || idempotencyKey !== undefined } = request;
  checkTimeout(timeout);
  const url = `${connection.apiUrl}${request.path}${queryString(request.query)}`;
  const init = initOf(connection, request);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendOnce(connection.fetch, url, init, timeout, signal);
    } catch (error) {
      const wait = isIdempotent && attempt < maximumAttempts ? retryWait(error, attempt, Math.random()) : undefined;
      if (wait === undefined) throw error;
      await pause(wait, signal);
    }
  }
}

/**
 * Does not use `new Headers`: it accepts control characters, which `fetch` then refuses, and its error can quote the API key.
 * `fetch` removes a line break at the end.
 */
export function checkHeader(option: 'apiKey' | 'practiceId' | 'idempotencyKey', value: string): void {
  if (!/^[\t\x20-\x7e\x80-\xff]*[\r\n]*$/.test(value))
    throw new TypeError(`${option} has a character that no header can carry, such as a line break or a curly quote`);
}

function checkTimeout(timeout: number): void {
  if (!Number.isInteger(timeout) || timeout < 1 || timeout > longestTimeout)
    throw new RangeError(`timeout must be a whole number of milliseconds from 1 to ${longestTimeout}`);
}

function initOf({ apiKey, practiceId }: Connection, { method, path, body, idempotencyKey }: ApiRequest): RequestInit {
  if (idempotencyKey !== undefined) checkHeader('idempotencyKey', idempotencyKey);
  return {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      // A call about the platform names no practice.
      ...(practiceId !== undefined && !path.startsWith('/api/platform/') && { 'practice-id': practiceId }),
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
    redirect: 'manual',
  };
}

async function sendOnce<Answer>(
  fetch: Connection['fetch'],
  url: string,
  init: RequestInit,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const timedOut = AbortSignal.timeout(timeout);
  const either = signal ? AbortSignal.any([signal, timedOut]) : timedOut;
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...init, signal: either });
    text = await response.text();
  } catch (cause) {
    signal?.throwIfAborted();
    const message = timedOut.aborted ? `No answer within ${timeout} ms.` : 'The connection failed.';
    throw new PaymentConnectionError(message, { cause });
  }
  const answer = parseJson(text);
  if (!response.ok || answer === undefined) throw new PaymentProblem(response, answer, Date.now());
  return answer;
}

function queryString(query: Query = {}): string {
  const pairs = Object.entries({ ...query }).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => [name, each instanceof Date ? isoTime(name, each) : String(each)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

function isoTime(name: string, date: Date): string {
  if (Number.isNaN(date.getTime())) throw new RangeError(`${name} is not a valid date`);
  return date.toISOString();
}

/** Undefined if it is not JSON: a gateway's answer can be any text. */
function parseJson(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const firstWait = 250;
const longestWait = 8_000;
const longestRetryAfter = 60_000;

/** Milliseconds before the next attempt: exponential backoff with full jitter, after `Retry-After`. Undefined: give up. */
export function retryWait(error: unknown, attempt: number, random: number): number | undefined {
  if (!isTransient(error)) return undefined;
  const backoff = random * Math.min(longestWait, firstWait * 2 ** (attempt - 1));
  const { retryAfter = 0 } = error instanceof PaymentProblem ? error : {};
  return retryAfter > longestRetryAfter ? undefined : retryAfter + backoff;
}

/** Whether the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof PaymentProblem) return error.status === 429 || error.status >= 500;
  return error instanceof PaymentConnectionError;
}

/** Rejects as soon as the signal aborts. */
function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
