import type { PracticeRoute } from '../../functions/contract/practice-route.ts';
import { Problem } from '../../functions/contract/problem.ts';
import type { RequestError } from '../../functions/contract/request-errors.ts';
import { parseRequest, partsOf } from '../../functions/http/request.ts';

export interface Sent {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as is. */
  readonly body?: unknown;
}

/** What a route reads from a request; throws the problem that it would answer. */
export function readBy(route: PracticeRoute, { query = {}, headers = {}, body }: Sent) {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)])),
  );
  const request = {
    headers: { 'content-type': 'application/json', ...headers },
    pathParameters: { sessionId: 'ses_1', endpointId: 'whe_1' },
    rawPath: '/',
    rawQueryString: search.toString(),
    body: typeof body === 'string' ? body : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: { requestId: 'r-1', routeKey: '', http: { method: 'GET', sourceIp: '127.0.0.1' } },
  };
  return parseRequest(request, partsOf(route));
}

export function faultsOf(route: PracticeRoute, sent: Sent): RequestError[] {
  try {
    readBy(route, sent);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.extra['errors'] as RequestError[];
  }
}
