import { request, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Context } from 'aws-lambda';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { originSecretHeader } from '../../functions/contract/origin-secret.ts';
import type { LocalStack } from '../../lib/local/stack.ts';

/** Cookies by name, as a browser keeps them for one host. */
export class CookieJar {
  private readonly cookies = new Map<string, string>();

  get header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  cookie(name: string): string | undefined {
    const value = this.cookies.get(name);
    return value === undefined ? undefined : `${name}=${value}`;
  }

  keep(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /;\s*(max-age=0|expires=Thu, 01 Jan 1970)/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }

  /** Makes one request, without following a redirect. */
  async fetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.header) headers.set('cookie', this.header);
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    this.keep(response);
    return response;
  }
}

/** CloudFront answers every other method itself. */
export const distributionMethods = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'];

/** The part of it that a route uses. */
export const lambdaContext = (remaining = 10_000) => ({ getRemainingTimeInMillis: () => remaining }) as Context;

interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** `fetch` would normalize or refuse such paths and headers. */
export function sendRaw(
  origin: string,
  path: string,
  { body, ...options }: RequestOptions & { readonly body?: string | Buffer } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, ...options }, (answer) => {
      buffer(answer).then(
        (received) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: received }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export interface HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export async function sendHttp(
  origin: string,
  { method, target, headers, body }: HttpRequest,
  timeout = 60_000,
): Promise<HttpAnswer> {
  const bodyHeaders =
    body.length > 0 || !['GET', 'HEAD'].includes(method) ? [['content-length', String(body.length)] as const] : [];
  const all = [['host', new URL(origin).host] as const, ...headers, ...bodyHeaders];
  const signal = AbortSignal.timeout(timeout);
  const answer = await sendRaw(origin, target, { method, headers: all.flat(), agent: false, signal, body });
  const named = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
  return { status: answer.status, headers: Object.fromEntries(named), body: answer.body.toString() };
}

/** The secret that a stack's distributions send now, and the one that they send after the next deploy. */
export async function originSecretsOf({ environment, resourceName }: LocalStack): Promise<[string, string]> {
  const client = new SecretsManagerClient({
    endpoint: String(environment['AWS_ENDPOINT_URL_SECRETS_MANAGER']),
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const read = async (number: number) => {
    const SecretId = resourceName(`OriginSecret${number}`);
    return (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '';
  };
  return [await read(1), await read(2)];
}

/** The address that distributions forward to, which is in no output. */
export function pagesApiUrlOf({ urls }: LocalStack): string {
  const [url, ...others] = Object.entries(urls).flatMap(([id, each]) => (id.startsWith('PagesHttpApi') ? [each] : []));
  if (url === undefined || others.length > 0) throw new Error('the stack has not one API for the pages');
  return url;
}

const currentSecret = 'currentOriginSecretOfTheTests';

/** Used in events that tests pass to a handler. */
export const stageVariablesOfTests = { originSecrets: `${currentSecret},nextOriginSecretOfTheTests` };

/** Headers for requests that go to the API itself, or for events with `stageVariablesOfTests`. */
export function throughDistribution(secret = currentSecret) {
  return { [originSecretHeader]: secret };
}
