import { Resolver } from 'node:dns/promises';
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { AttemptResult } from '../domain/webhooks/delivery.ts';
import { second } from '../domain/time.ts';
import { isAllowedAddress, targetProblem } from '../domain/webhooks/webhook-target.ts';

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type PostResult = AttemptResult & { readonly responseExcerpt?: string; readonly responseTruncated: boolean };

const connectTimeout = 5 * second;
const totalTimeout = 15 * second;
const keptResponseBytes = 16 * 1024;

class BlockedAddress extends Error {}

/** Not the system's lookup, which blocks a worker thread while a name server does not answer. */
const nameServers = new Resolver({ timeout: second, tries: 2 });

/** Kept open between requests to the same host and port. The address was checked when they were opened. */
export interface Connections {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
  /** Must be called before the function ends: a kept connection is dead when a frozen Lambda thaws. */
  close(): void;
}

export function keptConnections(): Connections {
  const [http, https] = [new HttpAgent({ keepAlive: true }), new HttpsAgent({ keepAlive: true })];
  return {
    http,
    https,
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

interface PostOptions {
  readonly resolver?: Resolver;
  /** Absent: each request opens its own connection. */
  readonly connections?: Connections | undefined;
}

export async function postWebhook(post: Post, allowLoopback: boolean, options: PostOptions = {}): Promise<PostResult> {
  if (targetProblem(post.url, allowLoopback) !== undefined)
    return { error: 'blocked_address', responseTruncated: false };
  const total = new AbortController();
  const timer = setTimeout(() => total.abort(), totalTimeout);
  try {
    return await exchange(post, allowLoopback, total.signal, options);
  } catch (error) {
    return { error: errorOf(error), responseTruncated: false };
  } finally {
    clearTimeout(timer);
  }
}

function errorOf(error: unknown): 'timeout' | 'network_error' | 'blocked_address' {
  if (error instanceof BlockedAddress) return 'blocked_address';
  return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
    ? 'timeout'
    : 'network_error';
}

export function exchange(
  post: Post,
  allowLoopback: boolean,
  signal: AbortSignal,
  { resolver = nameServers, connections }: PostOptions = {},
): Promise<PostResult> {
  const secure = post.url.startsWith('https:');
  const bytes = Buffer.from(post.body);
  const options: RequestOptions = {
    method: 'POST',
    agent: connections?.[secure ? 'https' : 'http'] ?? false,
    family: 4,
    lookup: allowedLookup(allowLoopback, resolver),
    signal,
    headers: {
      'content-type': 'application/json',
      'content-length': bytes.length,
      'accept-encoding': 'identity',
      'user-agent': 'patient-invoice-payment-webhooks/1',
      ...post.headers,
    },
  };
  return new Promise((resolve, reject) => {
    let responded = false;
    const fail = (error: Error) => {
      if (responded) return;
      // The server may have just closed the kept connection. That is not a failure: retry on a new one.
      if (request.reusedSocket && wasClosed(error)) resolve(exchange(post, allowLoopback, signal, { resolver }));
      else reject(error);
    };
    const request = (secure ? requestHttps : requestHttp)(post.url, options, (response) => {
      const { statusCode = 0 } = response;
      if (statusCode < 200) {
        request.destroy();
        return;
      }
      responded = true;
      const retryAfter = response.headers['retry-after'];
      void readExcerpt(response).then((excerpt) => {
        resolve({ statusCode, ...excerpt, ...(retryAfter !== undefined && { retryAfter }) });
        if (!response.complete || !connections) request.destroy();
      });
    });
    request.on('error', fail);
    // After a 101, or when destroyed above, Node ends the request without an error.
    request.on('upgrade', (_, socket) => socket.destroy());
    request.on('close', () => fail(new Error('the connection closed without a response')));
    request.on('socket', (socket) => {
      if (request.reusedSocket) return;
      const timer = setTimeout(() => request.destroy(new DOMException('connect', 'TimeoutError')), connectTimeout);
      socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(timer));
      socket.once('close', () => clearTimeout(timer));
    });
    request.end(bytes);
  });
}

function wasClosed(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** Resolves once: a second lookup could return other addresses (DNS rebinding). */
function allowedLookup(allowLoopback: boolean, resolver: Resolver): LookupFunction {
  return (hostname, options, callback) => {
    addressesOf(hostname, resolver).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) callback(new Error('no address'), '', 4);
        else if (!addresses.every((address) => isAllowedAddress(address, allowLoopback)))
          callback(new BlockedAddress('blocked address'), '', 4);
        else if (options.all)
          callback(
            null,
            addresses.map((address) => ({ address, family: 4 })),
          );
        else callback(null, first, 4);
      },
      (error: Error) => callback(error, '', 4),
    );
  };
}

function addressesOf(hostname: string, resolver: Resolver): Promise<string[]> {
  return /(^|\.)localhost\.?$/.test(hostname) ? Promise.resolve(['127.0.0.1']) : resolver.resolve4(hostname);
}

async function readExcerpt(
  response: IncomingMessage,
): Promise<{ responseExcerpt: string; responseTruncated: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let whole = true;
  try {
    for await (const chunk of response) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      size += bytes.length;
      if (size > keptResponseBytes) break;
    }
  } catch {
    whole = false;
  }
  return {
    responseExcerpt: Buffer.concat(chunks).subarray(0, keptResponseBytes).toString('utf8'),
    responseTruncated: !whole || size > keptResponseBytes,
  };
}
