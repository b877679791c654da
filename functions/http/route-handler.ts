import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Route } from '../contract/route.ts';
import { logFault, logInfo } from '../log.ts';
import { problemResponse } from './problem.ts';
import { httpRequest, parseBody, type HttpRequest } from './request.ts';
import { Problem } from '../contract/problems.ts';

/** What a handler is given beside the caller: the parsed body, the request for its headers, the time in milliseconds. */
export interface Call<Body> {
  readonly body: Body;
  readonly request: HttpRequest;
  readonly now: number;
  readonly facts: RequestFacts;
}

/** What becomes known of a request and is to stand on its line of the log. */
export type RequestFacts = { sessionId?: string };

export interface Answer<Body> {
  readonly body: Body;
  readonly headers?: Readonly<Record<string, string>>;
}

interface HttpResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

type Identity = RequestFacts & Readonly<Record<'requestId' | 'route', string>>;

/** What the log tells of a request: no path, query, header or body. */
function identityOf(event: unknown, facts: RequestFacts): Identity {
  const parsed = z.safeParse(httpRequest, event);
  if (!parsed.success) return { requestId: 'unknown', route: 'unknown' };
  const { requestId, routeKey } = parsed.data.requestContext;
  return { requestId, route: routeKey, ...facts };
}

/** Turns whatever was thrown into a problem; a fault of ours is logged and says nothing more. */
function problemOf(error: unknown, identity: Identity): Problem {
  if (error instanceof Problem) return error;
  logFault('request failed', error, identity);
  return new Problem('internal_error', 'Try again. If it goes on, report the `requestId`.');
}

/** Shapes every answer: problems for what was thrown, `Request-Id` and `Cache-Control: no-store` on all, one log line each. */
function answers(facts: RequestFacts): middy.MiddlewareObj<unknown, HttpResponse> {
  const finish = (event: unknown, response: HttpResponse, problem?: string) => {
    const identity = identityOf(event, facts);
    const { requestId } = identity;
    logInfo('request', { ...identity, status: response.statusCode, problem });
    return { ...response, headers: { ...response.headers, 'request-id': requestId, 'cache-control': 'no-store' } };
  };
  return {
    after: (request) => {
      if (request.response) request.response = finish(request.event, request.response);
    },
    onError: (request) => {
      const identity = identityOf(request.event, facts);
      const problem = problemOf(request.error, identity);
      request.response = finish(request.event, problemResponse(problem, identity.requestId), problem.code);
    },
  };
}

/**
 * One endpoint: identify the caller, parse the body, do the work, parse the answer, so that nothing unlisted leaves.
 * `identify` throws a problem for a caller that it does not accept.
 */
export function endpoint<Body extends z.ZodMiniType, Response extends z.ZodMiniType, Caller>(
  route: Route<Body, Response>,
  identify: (request: HttpRequest, now: number, facts: RequestFacts) => Promise<Caller>,
  handle: (caller: Caller, call: Call<z.output<Body>>) => Promise<Answer<z.input<Response>>>,
) {
  return responder(async (request, facts) => {
    const now = Date.now();
    const caller = await identify(request, now, facts);
    const body = parseBody(request, route.body);
    const answer = await handle(caller, { body, request, now, facts });
    return {
      statusCode: route.status,
      headers: { 'content-type': 'application/json', ...answer.headers },
      body: JSON.stringify(z.parse(route.response, answer.body)),
    };
  });
}

/** A Lambda handler that answers a request with what `respond` gives, or with the problem that it throws. */
export function responder(respond: (request: HttpRequest, facts: RequestFacts) => Promise<HttpResponse>) {
  return (event: unknown, context: Context): Promise<HttpResponse> => {
    const facts: RequestFacts = {};
    const handler = middy<unknown, HttpResponse>()
      .use(answers(facts))
      .handler(async (given) => respond(z.parse(httpRequest, given), facts));
    return handler(event, context);
  };
}
