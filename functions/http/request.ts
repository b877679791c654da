import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { errorParsing, requestProblem } from '../contract/request-errors.ts';
import { stageVariables, originSecretHeader, originSecretSeparator } from '../contract/origin-secret.ts';
import { none, type Route } from '../contract/route.ts';
import { readJson } from './json-body.ts';
import { Problem } from '../contract/problem.ts';
import { equalInConstantTime } from '../domain/identifier.ts';

/** API Gateway's payload format 2.0. Header names are in lower case. */
export const httpRequest = z.object({
  headers: z.record(z.string(), z.optional(z.string())),
  cookies: z.optional(z.array(z.string())),
  pathParameters: z.optional(z.record(z.string(), z.optional(z.string()))),
  rawPath: z.string(),
  rawQueryString: z.string(),
  body: z.optional(z.string()),
  isBase64Encoded: z.boolean(),
  stageVariables: z.optional(stageVariables),
  requestContext: z.object({
    requestId: z.string(),
    routeKey: z.string(),
    http: z.object({ method: z.string(), sourceIp: z.string(), userAgent: z.optional(z.string()) }),
  }),
});
export type HttpRequest = z.infer<typeof httpRequest>;

export function bearerToken(request: HttpRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers['authorization'] ?? '')?.[1];
}

export function partsOf<Called extends Pick<Route, 'params' | 'query' | 'headers' | 'body'>>(route: Called) {
  const { params, query, headers, body }: Pick<Called, 'params' | 'query' | 'headers' | 'body'> = route;
  return z.object({ params, query, headers, body });
}

export type ParsedRequest<Called extends Route> = z.output<ReturnType<typeof partsOf<Called>>>;

export function parseRequest<Parts extends ReturnType<typeof partsOf>>(
  request: HttpRequest,
  parts: Parts,
  { bodyOptional, maximumBodyBytes }: Pick<Route, 'bodyOptional' | 'maximumBodyBytes'> = {},
): z.output<Parts> {
  const { params, query, headers, body } = parts.shape;
  const sent = body === none || (bodyOptional && !request.body) ? undefined : readJson(request, body, maximumBodyBytes);
  const input = {
    params: params === none ? undefined : request.pathParameters,
    query: query === none ? undefined : queryParameters(request.rawQueryString),
    headers: headers === none ? undefined : request.headers,
    body: sent ? sent.value : body === none ? undefined : {},
  };
  const parsed = z.safeParse(parts, input, errorParsing);
  if (parsed.success) return parsed.data;
  throw requestProblem(parsed.error.issues, parts, sent?.namesAt);
}

/** Parses the raw string, because the gateway joins repeated parameters with commas. */
function queryParameters(rawQueryString: string): Record<string, unknown> {
  const parameters = new URLSearchParams(rawQueryString);
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
}

/** The viewer's address as the distribution reports it. Use it only behind `requireDistribution`: others can forge it. */
export function viewerAddressOf(headers: HttpRequest['headers']): string | undefined {
  const viewer = headers['x-viewer-address'] ?? '';
  return isIP(viewer) === 0 ? undefined : viewer;
}

/**
 * Passes a request on to `act` only if it came through a page's distribution. Throws a Problem otherwise, and an Error if
 * the stage has no secrets to compare with.
 */
export function requireDistribution<Rest extends readonly unknown[], Result>(
  act: (request: HttpRequest, ...rest: Rest) => Promise<Result>,
): (request: HttpRequest, ...rest: Rest) => Promise<Result> {
  return async (request, ...rest) => {
    const accepted = request.stageVariables?.originSecrets?.split(originSecretSeparator);
    if (!accepted) throw new Error('the stage has no origin secrets');
    const sent = request.headers[originSecretHeader] ?? '';
    const matching = accepted.filter((secret) => equalInConstantTime(secret, sent));
    if (matching.length === 0)
      throw new Problem('wrong_host', "Use the address of the page: the link's host, or the dashboard's.");
    return act(request, ...rest);
  };
}
