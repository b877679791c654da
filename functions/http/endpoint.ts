import middy from '@middy/core';
import * as z from 'zod/mini';
import type { Route } from '../contract/route.ts';
import { logFault, logInfo } from '../log.ts';
import { Problem, problemResponse } from './problem.ts';
import { httpRequest, parseBody, type HttpRequest } from './request.ts';

/** What a handler is given beside the caller: the parsed body, the request for its headers, the time in milliseconds. */
export interface Call<Body> {
  readonly body: Body;
  readonly request: HttpRequest;
  readonly now: number;
}

export interface Answer<Body> {
  readonly body: Body;
  readonly headers?: Readonly<Record<string, string>>;
}

interface HttpResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

function requestIdOf(event: unknown): string {
  const parsed = z.safeParse(httpRequest, event);
  return parsed.success ? parsed.data.requestContext.requestId : 'unknown';
}

/** Turns whatever was thrown into a problem; a fault of ours is logged and says nothing more. */
function problemOf(error: unknown, requestId: string): Problem {
  if (error instanceof Problem) return error;
  logFault('request failed', error, { requestId });
  return new Problem('internal_error', 'Try again. If it goes on, report the `requestId`.');
}

/** Shapes every answer: problems for what was thrown, `Request-Id` and `Cache-Control: no-store` on all, one log line each. */
function answers(): middy.MiddlewareObj<unknown, HttpResponse> {
  const finish = (event: unknown, response: HttpResponse) => {
    const requestId = requestIdOf(event);
    logInfo('request', { requestId, status: response.statusCode });
    return { ...response, headers: { ...response.headers, 'request-id': requestId, 'cache-control': 'no-store' } };
  };
  return {
    after: (request) => {
      if (request.response) request.response = finish(request.event, request.response);
    },
    onError: (request) => {
      const requestId = requestIdOf(request.event);
      request.response = finish(request.event, problemResponse(problemOf(request.error, requestId), requestId));
    },
  };
}

/**
 * One endpoint: identify the caller, parse the body, do the work, parse the answer, so that nothing unlisted leaves.
 * `identify` throws a problem for a caller that it does not accept.
 */
export function endpoint<Body extends z.ZodMiniType, Response extends z.ZodMiniType, Caller>(
  route: Route<Body, Response>,
  identify: (request: HttpRequest, now: number) => Promise<Caller>,
  handle: (caller: Caller, call: Call<z.output<Body>>) => Promise<Answer<z.input<Response>>>,
) {
  return responder(async (request) => {
    const now = Date.now();
    const caller = await identify(request, now);
    const body = parseBody(request, route.body);
    const answer = await handle(caller, { body, request, now });
    return {
      statusCode: route.status,
      headers: { 'content-type': 'application/json', ...answer.headers },
      body: JSON.stringify(z.parse(route.response, answer.body)),
    };
  });
}

/** A Lambda handler that answers a request with what `respond` gives, or with the problem that it throws. */
export function responder(respond: (request: HttpRequest) => Promise<HttpResponse>) {
  return middy<unknown, HttpResponse>()
    .use(answers())
    .handler(async (event) => respond(z.parse(httpRequest, event)));
}
