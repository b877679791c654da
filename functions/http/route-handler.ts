import middy from '@middy/core';
import * as z from 'zod/mini';
import { withinTime } from '../aws-client.ts';
import { isTransient } from '../aws-failure.ts';
import { Problem, type Problems } from '../contract/problems.ts';
import type { Route } from '../contract/route.ts';
import { docsUrl } from '../environment.ts';
import { logFault, logInfo } from '../log.ts';
import { problemResponse } from './problem.ts';
import { httpRequest, parseRequest, partsOf, type HttpRequest, type ParsedRequest } from './request.ts';

type Schema = z.ZodMiniType;

export interface HandlerContext {
  readonly now: number;
  readonly source: { readonly address: string; readonly userAgent: string };
  readonly facts: LogFacts;
}

export type LogFacts = { sessionId?: string };

/** Headers for the response, even if it is a problem. Names are in lower case. */
type AnswerHeaders = Record<string, string>;

export interface Answer<Body> {
  readonly body: Body;
  readonly headers?: Readonly<Record<string, string>>;
  /** `Set-Cookie` values. */
  readonly cookies?: string[];
}

type Identify<Caller> = (
  request: HttpRequest,
  now: number,
  facts: LogFacts,
  answerHeaders: AnswerHeaders,
) => Promise<Caller>;

export function routeHandler<
  Params extends Schema,
  Query extends Schema,
  Headers extends Schema,
  Body extends Schema,
  Response extends Schema,
  Caller,
>(
  route: Route<Params, Query, Headers, Body, Response>,
  identify: Identify<Caller>,
  handle: (
    caller: Caller,
    request: ParsedRequest<Params, Query, Headers, Body>,
    context: HandlerContext,
  ) => Promise<Answer<z.input<Response>>>,
) {
  const parts = partsOf(route);
  return responder(route.problems, async (request, facts, answerHeaders) => {
    const now = Date.now();
    const caller = await identify(request, now, facts, answerHeaders);
    const { sourceIp: address, userAgent = '' } = request.requestContext.http;
    const answer = await handle(caller, parseRequest(request, parts, route), {
      now,
      source: { address, userAgent },
      facts,
    });
    return {
      statusCode: route.status,
      headers: { 'content-type': 'application/json', ...answer.headers },
      ...(answer.cookies && { cookies: answer.cookies }),
      body: JSON.stringify(z.parse(route.response, answer.body)),
    };
  });
}

interface HttpResponse {
  statusCode: number;
  headers: Record<string, string>;
  cookies?: string[];
  body: string;
}

/** `before` replaces the Lambda event with this. */
interface Incoming {
  readonly request: HttpRequest;
  readonly facts: LogFacts;
  readonly answerHeaders: AnswerHeaders;
}

export function responder(
  problems: Problems,
  respond: (request: HttpRequest, facts: LogFacts, answerHeaders: AnswerHeaders) => Promise<HttpResponse>,
) {
  return middy<Incoming, HttpResponse>()
    .use(shapeResponses(problems))
    .handler(async ({ request, facts, answerHeaders }, context) =>
      withinTime(context.getRemainingTimeInMillis(), () => respond(request, facts, answerHeaders)),
    );
}

function shapeResponses(problems: Problems): middy.MiddlewareObj<Incoming, HttpResponse> {
  const docs = docsUrl();
  return {
    before: (handled) => {
      handled.event = { request: z.parse(httpRequest, handled.event), facts: {}, answerHeaders: {} };
    },
    after: (handled) => {
      if (handled.response) handled.response = finish(handled.event, handled.response);
    },
    onError: (handled) => {
      const identity = identityOf(handled.event);
      const problem = problemOf(handled.error, problems, identity);
      const response = problemResponse(problem, problems, docs, identity.requestId);
      handled.response = finish(handled.event, response, problem.code);
    },
  };
}

/** An event that did not parse has no answer headers. */
function finish(incoming: Partial<Incoming>, response: HttpResponse, problem?: string): HttpResponse {
  const identity = identityOf(incoming);
  logInfo('request', { ...identity, status: response.statusCode, problem });
  return {
    ...response,
    headers: {
      'cache-control': 'no-store',
      ...incoming.answerHeaders,
      ...response.headers,
      'request-id': identity.requestId,
    },
  };
}

type Identity = LogFacts & Readonly<Record<'requestId' | 'route', string>>;

/** Leaves out path, query, headers and body: they may hold secrets. An event that did not parse has no request. */
function identityOf({ request, facts }: Partial<Incoming>): Identity {
  if (!request) return { requestId: 'unknown', route: 'unknown' };
  const { requestId, routeKey } = request.requestContext;
  return { requestId, route: routeKey, ...facts };
}

function problemOf(error: unknown, problems: Problems, identity: Identity): Problem {
  if (error instanceof Problem && Object.hasOwn(problems, error.code)) return error;
  logFault('request failed', error, identity);
  if (!isTransient(error))
    return new Problem('internal_error', 'Retry the request. If it keeps failing, report the `requestId`.');
  return new Problem(
    'temporarily_unavailable',
    'Retry after `Retry-After` seconds, with the same `Idempotency-Key` if you sent one: the request may have succeeded.',
    { headers: { 'retry-after': '2' } },
  );
}
