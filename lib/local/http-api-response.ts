import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isObject } from './json.ts';

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

export function httpApiResponse(payload: unknown): HttpApiResponse {
  if (!isObject(payload) || payload['statusCode'] === undefined) {
    return {
      statusCode: 200,
      headers: { 'content-type': 'application/json' },
      cookies: [],
      body: Buffer.from(JSON.stringify(payload ?? null)),
    };
  }
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded } = payload;
  const status = Number(statusCode);
  const invalid = refusal(500, 'Internal Server Error');
  if (!Number.isInteger(status) || status < 200 || status > 599) return invalid;
  if (body !== null && typeof body !== 'string') return invalid;
  if (headers !== null && !isObject(headers)) return invalid;
  if (!Array.isArray(cookies) || cookies.some((cookie) => typeof cookie !== 'string')) return invalid;

  const named: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!['string', 'number', 'boolean'].includes(typeof value)) return invalid;
    if (!isSendable(name, String(value))) return invalid;
    named[name.toLowerCase()] = String(value);
  }
  if (body !== null && body !== '' && named['content-type'] === undefined)
    named['content-type'] = 'text/plain; charset=utf-8';
  for (const name of ['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'upgrade']) delete named[name];
  return {
    statusCode: status,
    headers: named,
    cookies,
    body: Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8'),
  };
}

function isSendable(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
