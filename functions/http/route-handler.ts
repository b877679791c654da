import middy from '@middy/core';
import * as z from 'zod/mini';
import { withinTime } from '../aws-client.ts';
import { isTransient } from '../aws-failure.ts';
import { Problem } from '../contract/problem.ts';
import { serverProblems, type Problems } from '../contract/problems.ts';
import type { Route } from '../contract/route.ts';
import { docsUrl } from '../environment.ts';
import { logFault, logInfo, traced } from '../log.ts';
import { httpRequest, parseRequest, partsOf, type HttpRequest, type ParsedRequest } from './request.ts';
import { bodyBytes } from './json-body.ts';

interface HandlerContext {
  readonly now: number;
  readonly source: { readonly address: string; readonly userAgent: string };
  readonly facts: LogFacts;
  readonly answerHeaders: AnswerHeaders;
  /** `Set-Cookie` values for the response. */
  readonly cookies: string[];
}

export type LogFacts = { sessionId?: string };

/** Headers for the response, even if it is a problem. Names are in lower case. */
type AnswerHeaders = Record<string, string>;

/** What a route does for its caller. Returns the body of the response. */
export type Handle<Called extends Route, Caller> = (
  caller: Caller,
  request: ParsedRequest<Called>,
  context: HandlerContext,
) => Promise<z.input<Called['response']>>;

export type Identify<Caller> = (
  request: HttpRequest,
  now: number,
  facts: LogFacts,
  answerHeaders: AnswerHeaders,
) => Promise<Caller>;

interface HttpResponse {
  statusCode: number;
  headers: Record<string, string>;
  cookies?: string[];
  body: string;
}

/** How a function responds to one of its routes. */
export interface Responder {
  /** Throwing any other Problem is an internal error. */
  readonly problems: Problems;
  respond(request: HttpRequest, facts: LogFacts, answerHeaders: AnswerHeaders): Promise<HttpResponse>;
}

export function responderOf<Called extends Route, Caller>(
  route: Called,
  identify: Identify<Caller>,
  handle: Handle<Called, Caller>,
): Responder {
  const parts = partsOf(route);
  return {
    problems: route.problems,
    async respond(request, facts, answerHeaders) {
      const now = Date.now();
      const caller = await identify(request, now, facts, answerHeaders);
      const { sourceIp: address, userAgent = '' } = request.requestContext.http;
      const cookies: string[] = [];
      const context = { now, source: { address, userAgent }, facts, answerHeaders, cookies };
      const body = await handle(caller, parseRequest(request, parts, route), context);
      return {
        statusCode: route.status,
        headers: { 'content-type': 'application/json' },
        ...(cookies.length > 0 && { cookies }),
        body: JSON.stringify(z.parse(route.response, body)),
      };
    },
  };
}

/** `before` replaces the Lambda event with this. */
interface Incoming {
  readonly request: HttpRequest;
  readonly responder: Responder;
  readonly facts: LogFacts;
  readonly answerHeaders: AnswerHeaders;
}

/** The handler of a function that serves one route. */
export function routeHandler<Called extends Route, Caller>(...given: Parameters<typeof responderOf<Called, Caller>>) {
  const responder = responderOf(...given);
  return handlerOf(() => responder);
}

/** `responderTo` tells the function's routes apart. */
export function handlerOf(responderTo: (routeKey: string) => Responder) {
  return middy<Incoming, HttpResponse>()
    .use(shapeResponses(responderTo))
    .handler(async ({ request, responder, facts, answerHeaders }, context) =>
      traced(request.requestContext.requestId, () =>
        withinTime(context.getRemainingTimeInMillis(), () => responder.respond(request, facts, answerHeaders)),
      ),
    );
}

function shapeResponses(responderTo: (routeKey: string) => Responder): middy.MiddlewareObj<Incoming, HttpResponse> {
  const docs = docsUrl();
  return {
    before: (handled) => {
      const request = z.parse(httpRequest, handled.event);
      const responder = responderTo(request.requestContext.routeKey);
      handled.event = { request, responder, facts: {}, answerHeaders: {} };
    },
    after: (handled) => {
      if (handled.response) handled.response = finish(handled.event, handled.response);
    },
    onError: (handled) => {
      const { responder }: Partial<Incoming> = handled.event;
      const problems = responder?.problems ?? {};
      const identity = identityOf(handled.event);
      const problem = problemOf(handled.error, problems, identity);
      const response = problemResponse(problem, problems, docs, identity.requestId);
      handled.response = finish(handled.event, response, problem.code);
    },
  };
}

/** The distributions add these to the pages' responses. The API's own host has no distribution. */
const always = {
  'cache-control': 'no-store',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
};

/** An event that did not parse has no answer headers. */
function finish(incoming: Partial<Incoming>, response: HttpResponse, problem?: string): HttpResponse {
  const identity = identityOf(incoming);
  logInfo('request', { ...identity, status: response.statusCode, problem });
  return {
    ...response,
    headers: {
      ...always,
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

/** `type` links to the code's entry in the docs. */
function problemResponse(problem: Problem, ofRoute: Problems, docsUrl: string, requestId: string) {
  const problems: Problems = { ...ofRoute, ...serverProblems };
  const { status, title } = problems[problem.code] ?? serverProblems.internal_error;
  return {
    statusCode: status,
    headers: { 'content-type': 'application/problem+json', ...problem.headers },
    body: JSON.stringify({
      type: `${docsUrl}/errors#${problem.code}`,
      title,
      status,
      detail: problem.message,
      code: problem.code,
      requestId,
      ...problem.extra,
    }),
  };
}

interface SignedCall {
  /** Exactly as sent: the signature is over these bytes. */
  readonly body: Buffer;
  readonly headers: HttpRequest['headers'];
}

/** Handles requests from servers that sign what they send. Responds without a body. */
export function signedRoute(route: Route, receive: (call: SignedCall, now: number) => Promise<void>) {
  return handlerOf(() => ({
    problems: route.problems,
    async respond(request) {
      await receive({ body: bodyBytes(request), headers: request.headers }, Date.now());
      return { statusCode: route.status, headers: {}, body: '' };
    },
  }));
}
