import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { nameInArn } from './account.ts';
import type { LocalFunction } from './functions.ts';
import {
  httpApiEvent,
  splitTarget,
  type MatchedRoute,
  httpApiResponse,
  refusal,
  type HttpApiResponse,
} from './http-api-payload.ts';
import { inert, text, wholeNumber } from './property-schema.ts';
import { SetupError } from './setup-error.ts';
import type { Resource } from './template.ts';

const routeSettings = z.strictObject({
  ThrottlingRateLimit: z.number().optional(),
  ThrottlingBurstLimit: wholeNumber,
});

type RouteSettings = z.output<typeof routeSettings>;

interface StageSettings {
  readonly RouteSettings?: Readonly<Record<string, RouteSettings>> | undefined;
}

/** One token bucket for each route with settings. Other routes accept everything. */
export function createThrottle(stage: StageSettings, now: () => number = Date.now) {
  const buckets = new Map(
    Object.entries(stage.RouteSettings ?? {}).map(([key, settings]) => [key, bucket(settings, now)]),
  );
  return { accepts: (routeKey: string) => buckets.get(routeKey)?.() ?? true };
}

function bucket({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst = rate }: RouteSettings, now: () => number) {
  if (rate === undefined || burst === undefined) return () => true;
  let tokens = burst;
  let filledAt = now();
  return (): boolean => {
    const at = now();
    tokens = Math.min(burst, tokens + ((at - filledAt) / 1000) * rate);
    filledAt = at;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

export const apiProperties = z.strictObject({
  Name: text,
  ProtocolType: z.literal('HTTP'),
});

export const stageProperties = z.strictObject({
  ApiId: z.string(),
  StageName: z.literal('$default'),
  AutoDeploy: z.literal(true).optional(),
  AccessLogSettings: inert('requests are not logged here'),
  RouteSettings: z.record(z.string(), routeSettings).optional(),
  StageVariables: z.record(z.string(), z.string()).optional(),
});

export const integrationProperties = z.strictObject({
  ApiId: z.string(),
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  PayloadFormatVersion: z.literal('2.0'),
  CredentialsArn: inert('nothing on one machine checks permissions; tests of the template do'),
});

export const routeProperties = z.strictObject({
  ApiId: z.string(),
  RouteKey: z.string().regex(/^(\$default|(?!ANY )[A-Z]+ \/[^+]*)$/, 'only one method and no greedy parameter'),
  Target: z.string(),
  AuthorizationType: z.literal('NONE').optional(),
});

const maximumBodyBytes = 10 * 1024 * 1024;

interface Options {
  readonly apiId: string;
  readonly stages: readonly Resource<z.output<typeof stageProperties>>[];
  readonly routes: readonly Resource<z.output<typeof routeProperties>>[];
  readonly integrations: readonly Resource<z.output<typeof integrationProperties>>[];
  readonly functions: ReadonlyMap<string, LocalFunction>;
}

/** Throws SetupError if a route has no function. */
export function createHttpApi({ apiId, stages, routes, integrations, functions }: Options) {
  const stage = stages.find(({ properties }) => properties.ApiId === apiId)?.properties;
  const throttle = createThrottle(stage ?? {});
  const find = routeTable(
    routes
      .filter(({ properties }) => properties.ApiId === apiId)
      .map(({ logicalId, properties }) => {
        const integration = integrations.find(({ name }) => properties.Target === `integrations/${name}`)?.properties;
        const target = integration && functions.get(nameInArn(integration.IntegrationUri));
        if (target === undefined)
          throw new SetupError(`${logicalId}: the route ${properties.RouteKey} has no function behind it.`);
        return {
          routeKey: properties.RouteKey,
          target,
        };
      }),
  );

  async function answer(request: IncomingMessage): Promise<HttpApiResponse> {
    const method = request.method ?? 'GET';
    const target = request.url ?? '/';
    const body = await readBody(request);
    if (body === undefined) return refusal(413, 'Request Entity Too Large');
    const route = find(method, splitTarget(target).path);
    if (route === undefined) return refusal(404, 'Not Found');
    if (!throttle.accepts(route.routeKey)) return refusal(429, 'Too Many Requests');

    const { headersDistinct: headers, httpVersion } = request;
    const sourceIp = (request.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, '');
    const event = httpApiEvent(
      { method, target, headers, httpVersion, sourceIp, body },
      route,
      { apiId, stageVariables: stage?.StageVariables },
      new Date(),
    );
    const result = await route.target.invoke(event);
    return result.ok ? httpApiResponse(result.payload) : refusal(500, 'Internal Server Error');
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { statusCode, headers, cookies, body } = await answer(request);
    response.statusCode = statusCode;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (cookies.length > 0) response.setHeader('set-cookie', [...cookies]);
    response.setHeader('apigw-requestid', randomUUID());
    if (statusCode === 413) response.setHeader('connection', 'close');
    response.setHeader('content-length', body.length);
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size <= maximumBodyBytes) chunks.push(bytes);
  }
  return size > maximumBodyBytes ? undefined : Buffer.concat(chunks);
}

interface Route<T> {
  readonly routeKey: string;
  readonly target: T;
}

/** A literal segment goes before a parameter, and `$default` is last. */
export function routeTable<T>(routes: readonly Route<T>[]) {
  const fallback = routes.find(({ routeKey }) => routeKey === '$default');
  const ranked = routes
    .filter((route) => route !== fallback)
    .map((route) => {
      const [method = '', path = ''] = route.routeKey.split(' ');
      return { ...route, method, segments: path.split('/').slice(1) };
    })
    .sort((a, b) => rank(a).localeCompare(rank(b)));

  return (method: string, path: string): (MatchedRoute & { target: T }) | undefined => {
    const parts = path.split('/').slice(1);
    for (const route of ranked) {
      if (route.method !== method) continue;
      const pathParameters = match(route.segments, parts);
      if (pathParameters !== undefined) return { routeKey: route.routeKey, pathParameters, target: route.target };
    }
    return fallback && { routeKey: fallback.routeKey, pathParameters: {}, target: fallback.target };
  };
}

function rank({ segments }: { segments: readonly string[] }): string {
  return segments.map((segment) => (segment.startsWith('{') ? 1 : 0)).join('');
}

function match(segments: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  if (parts.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = parts[index];
    if (segment.startsWith('{') && part) parameters[segment.slice(1, -1)] = part;
    else if (segment !== part) return undefined;
  }
  return parameters;
}
