import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { accountId } from './account.ts';
import { isObject } from './json.ts';

interface HttpApiRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: NodeJS.Dict<string[]>;
  readonly httpVersion: string;
  readonly sourceIp: string;
  readonly body: Buffer;
}

export interface MatchedRoute {
  readonly routeKey: string;
  readonly pathParameters: Readonly<Record<string, string>>;
}

interface ServingStage {
  readonly apiId: string;
  readonly stageVariables?: Readonly<Record<string, string>> | undefined;
}

export function httpApiEvent(
  request: HttpApiRequest,
  route: MatchedRoute,
  { apiId, stageVariables }: ServingStage,
  now: Date,
): APIGatewayProxyEventV2 {
  const { path, query } = splitTarget(request.target);
  const headers = joinedHeaders(request);
  const cookies = headers['cookie']?.split(/;\s*/).filter((cookie) => cookie !== '');
  delete headers['cookie'];
  const domainName = headers['host'] ?? '127.0.0.1';
  const text = isText(headers['content-type']);

  return {
    version: '2.0',
    routeKey: route.routeKey,
    rawPath: path,
    rawQueryString: query,
    ...(cookies !== undefined && cookies.length > 0 && { cookies }),
    headers: {
      ...headers,
      'x-amzn-trace-id': `Root=1-${Math.floor(now.getTime() / 1000).toString(16)}-${randomUUID().replaceAll('-', '').slice(0, 24)}`,
      'x-forwarded-for': [headers['x-forwarded-for'], request.sourceIp].filter((part) => part !== undefined).join(', '),
      'x-forwarded-port': domainName.split(':')[1] ?? '80',
      'x-forwarded-proto': 'http',
    },
    ...(query !== '' && { queryStringParameters: joinedQuery(query) }),
    ...(Object.keys(route.pathParameters).length > 0 && { pathParameters: { ...route.pathParameters } }),
    requestContext: {
      accountId,
      apiId,
      domainName,
      domainPrefix: domainName.split('.')[0] ?? domainName,
      http: {
        method: request.method,
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: route.routeKey,
      stage: '$default',
      time: commonLogTime(now),
      timeEpoch: now.getTime(),
    },
    ...(stageVariables && { stageVariables: { ...stageVariables } }),
    ...(request.body.length > 0 && { body: request.body.toString(text ? 'utf8' : 'base64') }),
    isBase64Encoded: request.body.length > 0 && !text,
  };
}

export function splitTarget(target: string): { path: string; query: string } {
  const [, path = '', query = ''] = /^([^?#]*)\??([^#]*)/.exec(target) ?? [];
  return { path: decoded(path), query };
}

const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

function joinedHeaders({ headers }: HttpApiRequest): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !ofConnection.has(name));
  return Object.fromEntries(kept.map(([name, values = []]) => [name, values.join(name === 'cookie' ? '; ' : ',')]));
}

function joinedQuery(query: string): Record<string, string> {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name).join(',')]));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isText(contentType: string | undefined): boolean {
  if (contentType === undefined) return true;
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  return /^text\/|^application\/(json|xml|javascript)$|\+(json|xml)$/.test(type);
}

function commonLogTime(now: Date): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(now.toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}

export interface HttpApiResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

export function refusal(statusCode: number, message: string): HttpApiResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json' },
    cookies: [],
    body: Buffer.from(JSON.stringify({ message })),
  };
}

const headerValue = z.union([z.string(), z.number(), z.boolean()]);
const proxyAnswer = z.object({
  statusCode: z.int().min(200).max(599),
  headers: z.record(z.string(), headerValue).default({}),
  cookies: z.array(z.string()).default([]),
  body: z.string().default(''),
  isBase64Encoded: z.boolean().default(false),
});

export function httpApiResponse(payload: unknown): HttpApiResponse {
  if (!isObject(payload) || payload['statusCode'] === undefined) {
    return {
      statusCode: 200,
      headers: { 'content-type': 'application/json' },
      cookies: [],
      body: Buffer.from(JSON.stringify(payload ?? null)),
    };
  }
  const { data: answer } = z.safeParse(proxyAnswer, payload);
  if (!answer) return refusal(500, 'Internal Server Error');
  const { statusCode, headers, cookies, body, isBase64Encoded } = answer;
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
  if (body !== '') named['content-type'] ??= 'text/plain; charset=utf-8';
  for (const name of ['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'upgrade']) delete named[name];
  return { statusCode, headers: named, cookies, body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8') };
}
