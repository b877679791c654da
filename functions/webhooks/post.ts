import { Resolver } from 'node:dns/promises';
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { AttemptResult } from '../domain/delivery.ts';
import { second } from '../domain/time.ts';
import { isAllowedAddress, targetFault } from '../domain/webhook-target.ts';

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

/** Asks DNS itself, for A records only: the system's own look-up would hold one of the process's four threads for as long as a dead name server takes. */
const nameServers = new Resolver({ timeout: second, tries: 2 });

function addressesOf(hostname: string, resolver: Resolver): Promise<string[]> {
  return /(^|\.)localhost\.?$/.test(hostname) ? Promise.resolve(['127.0.0.1']) : resolver.resolve4(hostname);
}

/** Resolves a host once and hands on only addresses that may be reached, so that a name cannot change its mind (DNS rebinding). */
function vettingLookup(allowLoopback: boolean, resolver: Resolver): LookupFunction {
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

/** Keeps the first 16 KiB of an answer and hangs up on the rest. Nothing is decompressed. A body that stalls or breaks off is kept as far as it came: the status has been given. */
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

/** Sends one request over a connection of its own: no redirects, no silent retry; throws on any fault of the network. Whether the URL may be asked at all is the caller's to know. */
export function exchange(
  post: Post,
  allowLoopback: boolean,
  signal: AbortSignal,
  resolver = nameServers,
): Promise<PostResult> {
  const bytes = Buffer.from(post.body);
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    family: 4,
    lookup: vettingLookup(allowLoopback, resolver),
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
    const secure = post.url.startsWith('https:');
    let answered = false;
    const fail = (error: Error) => {
      if (!answered) reject(error);
    };
    const request = (secure ? requestHttps : requestHttp)(post.url, options, (response) => {
      const { statusCode = 0 } = response;
      if (statusCode < 200) {
        request.destroy();
        return;
      }
      answered = true;
      const retryAfter = response.headers['retry-after'];
      void readExcerpt(response).then((excerpt) => {
        resolve({ statusCode, ...excerpt, ...(retryAfter !== undefined && { retryAfter }) });
        request.destroy();
      });
    });
    request.on('error', fail);
    // A switch of protocols (101) ends a request without an answer and without an error; so does, above, a status that ends nothing.
    request.on('upgrade', (_, socket) => socket.destroy());
    request.on('close', () => fail(new Error('the connection closed without an answer')));
    request.on('socket', (socket) => {
      const timer = setTimeout(() => request.destroy(new DOMException('connect', 'TimeoutError')), connectTimeout);
      socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(timer));
      socket.once('close', () => clearTimeout(timer));
    });
    request.end(bytes);
  });
}

function errorOf(error: unknown): 'timeout' | 'network_error' | 'blocked_address' {
  if (error instanceof BlockedAddress) return 'blocked_address';
  return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
    ? 'timeout'
    : 'network_error';
}

/** Makes one attempt: at most 5 s to connect and 15 s in all. What goes wrong at the other end is a result, never thrown. */
export async function postWebhook(post: Post, allowLoopback: boolean, resolver = nameServers): Promise<PostResult> {
  if (targetFault(post.url, allowLoopback) !== undefined) return { error: 'blocked_address', responseTruncated: false };
  try {
    return await exchange(post, allowLoopback, AbortSignal.timeout(totalTimeout), resolver);
  } catch (error) {
    return { error: errorOf(error), responseTruncated: false };
  }
}
