import type { Resolver } from 'node:dns/promises';
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { attemptTimeout, type AttemptResult, type MadeAttempt } from '../domain/webhooks/delivery.ts';
import { second } from '../domain/time.ts';
import { targetProblem } from '../domain/webhooks/webhook-target.ts';
import {
  allowedLookup,
  nameServers,
  AttemptFailure,
  attemptErrorOf,
  wasClosed,
  isParseError,
  maximumHeaderSize,
  unreadableResponse,
} from './attempt-error.ts';

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type PostResult = AttemptResult & Pick<MadeAttempt, 'responseExcerpt' | 'responseTruncated'>;

const connectTimeout = 5 * second;
const keptResponseBytes = 16 * 1024;

export function keptConnections() {
  const [http, https] = [new HttpAgent({ keepAlive: true }), new HttpsAgent({ keepAlive: true })];
  return {
    http,
    https,
    /** Must be called before the function ends: a kept connection is dead when a frozen Lambda thaws. */
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

/** Kept open between requests to the same host and port. The address was checked when they were opened. */
export type Connections = ReturnType<typeof keptConnections>;

interface PostOptions {
  /** Replaces our own lookup and its check of addresses. */
  readonly lookup?: LookupFunction | undefined;
  readonly resolver?: Resolver;
  /** Absent: each request opens its own connection. */
  readonly connections?: Connections | undefined;
}

export async function postWebhook(post: Post, allowLoopback: boolean, options: PostOptions = {}): Promise<PostResult> {
  if (targetProblem(post.url, allowLoopback) !== undefined)
    return { error: 'blocked_address', responseTruncated: false };
  return postUnchecked(post, allowLoopback, options);
}

/** Posts to a URL that was already checked. */
export async function postUnchecked(
  post: Post,
  allowLoopback: boolean,
  { signal: stop, ...options }: PostOptions & { readonly signal?: AbortSignal } = {},
): Promise<PostResult> {
  const total = new AbortController();
  const timer = setTimeout(() => total.abort(), attemptTimeout);
  const signal = stop ? AbortSignal.any([stop, total.signal]) : total.signal;
  try {
    return await exchange(post, allowLoopback, signal, options);
  } catch (error) {
    return { error: error instanceof AttemptFailure ? error.reason : 'network_error', responseTruncated: false };
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects with an `AttemptFailure`. */
export function exchange(
  post: Post,
  allowLoopback: boolean,
  signal: AbortSignal,
  { lookup: given, resolver = nameServers, connections }: PostOptions = {},
): Promise<PostResult> {
  const secure = post.url.startsWith('https:');
  const bytes = Buffer.from(post.body);
  let lookingUp = false;
  const lookup: LookupFunction = (hostname, options, callback) => {
    lookingUp = true;
    (given ?? allowedLookup(allowLoopback, resolver))(hostname, options, (...found) => {
      lookingUp = false;
      callback(...found);
    });
  };
  const options: RequestOptions = {
    method: 'POST',
    agent: connections?.[secure ? 'https' : 'http'] ?? false,
    family: 4,
    lookup,
    signal,
    maxHeaderSize: maximumHeaderSize,
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
    let start = Buffer.alloc(0);
    const progress = { secured: !secure, hasKeys: false };
    const fail = (error: Error) => {
      if (responded) return;
      if (isParseError(error)) resolve(unreadableResponse(error, start.subarray(0, keptResponseBytes)));
      // The server may have just closed the kept connection. That is not a failure: retry on a new one.
      else if (request.reusedSocket && wasClosed(error))
        resolve(exchange(post, allowLoopback, signal, { lookup: given, resolver }));
      else reject(new AttemptFailure(attemptErrorOf(error, progress), { cause: error }));
    };
    const request = (secure ? requestHttps : requestHttp)(post.url, options, (response) => {
      const { statusCode = 0 } = response;
      if (statusCode < 200) {
        request.destroy(new AttemptFailure('unreadable_response'));
        return;
      }
      responded = true;
      const { location, 'retry-after': retryAfter } = response.headers;
      const redirectsTo = statusCode < 400 && statusCode >= 300 ? redirectTarget(location, post.url) : undefined;
      void readExcerpt(response).then((excerpt) => {
        resolve({
          statusCode,
          ...excerpt,
          ...(redirectsTo !== undefined && { redirectsTo }),
          ...(retryAfter !== undefined && { retryAfter }),
        });
      });
    });
    request.on('error', fail);
    // After a 101, Node ends the request without an error.
    request.on('upgrade', (_, socket) => {
      fail(new AttemptFailure('unreadable_response'));
      socket.destroy();
    });
    request.on('close', () => fail(new AttemptFailure('connection_reset')));
    request.on('socket', (socket) => {
      const keepStart = (chunk: Buffer) => {
        if (start.length < keptResponseBytes) start = Buffer.concat([start, chunk]);
      };
      // Runs before the parser, which does not say what it refused.
      socket.prependListener('data', keepStart);
      request.once('close', () => socket.off('data', keepStart));
      if (request.reusedSocket) {
        progress.secured = true;
        return;
      }
      const timer = setTimeout(
        () => request.destroy(new AttemptFailure(lookingUp ? 'dns_failure' : 'connection_timeout')),
        connectTimeout,
      );
      socket.once('keylog', () => (progress.hasKeys = true));
      socket.once('secureConnect', () => (progress.secured = true));
      socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(timer));
      socket.once('close', () => clearTimeout(timer));
    });
    request.end(bytes);
  });
}

/** As long as a webhook's URL may be. */
const keptRedirect = 500;

function redirectTarget(location: string | undefined, url: string): string | undefined {
  if (location === undefined) return undefined;
  return (URL.canParse(location, url) ? new URL(location, url).href : location).slice(0, keptRedirect);
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
      // Leaving the loop closes the connection.
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
