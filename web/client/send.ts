import type { EventFilters } from './events.ts';
import { PaymentConnectionError, PaymentProblem } from './problems.ts';
import { pause, retryWait } from './retry.ts';
import type { PageRequest, SessionFilters } from './sessions.ts';

export interface RequestOptions {
  /** Ends the request and its retries; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Milliseconds per attempt. */
  timeout?: number;
  /** 1 turns retries off. */
  maximumAttempts?: number;
}

export interface Connection extends Required<Pick<RequestOptions, 'timeout' | 'maximumAttempts'>> {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

export type Query = SessionFilters & EventFilters & PageRequest;

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
 */
export async function send<Answer>(
  connection: Connection,
  request: ApiRequest,
  options: RequestOptions = {},
): Promise<Answer> {
  const { signal, timeout = connection.timeout, maximumAttempts = connection.maximumAttempts } = options;
  const { method, idempotencyKey, isIdempotent = method === 'GET' || idempotencyKey !== undefined } = request;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendOnce(connection, request, timeout, signal);
    } catch (error) {
      const wait = isIdempotent && attempt < maximumAttempts ? retryWait(error, attempt, Math.random()) : undefined;
      if (wait === undefined) throw error;
      await pause(wait, signal);
    }
  }
}

async function sendOnce<Answer>(
  { apiUrl, apiKey, fetch }: Connection,
  { method, path, query = {}, body, idempotencyKey }: ApiRequest,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const timedOut = AbortSignal.timeout(timeout);
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${apiUrl}${path}${queryString(query)}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timedOut]) : timedOut,
    });
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

function queryString(query: Query): string {
  const pairs = Object.entries({ ...query }).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => [name, each instanceof Date ? each.toISOString() : String(each)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

/** Undefined if it is not JSON: a gateway's answer can be any text. */
function parseJson(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
