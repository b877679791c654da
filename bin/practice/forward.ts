import { lookup } from 'node:dns';
import { lookup as resolve } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { InvalidArgumentError } from 'commander';
import { signatureHeaders } from '../../functions/domain/webhooks/webhook-signature.ts';
import { toEpochSeconds } from '../../functions/domain/time.ts';
import type { ListedEvent } from '../../web/client/index.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const isLoopback = (address: string) => loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Throws commander's InvalidArgumentError unless the URL leads to this machine. */
export async function requireLoopback(text: string): Promise<URL> {
  const wrong = (reason: string) =>
    new InvalidArgumentError(`--forward-to is wrong. ${reason} Use a URL like http://127.0.0.1:4900/webhooks.`);
  if (!URL.canParse(text)) throw wrong('It is not a URL.');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw wrong('It must begin with http:// or https://.');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = await resolve(host, { all: true }).catch(() => []);
  if (addresses.length === 0) throw wrong(`There is no host ${host}.`);
  if (!addresses.every(({ address }) => isLoopback(address))) throw wrong('Events are forwarded only to this machine.');
  return url;
}

export interface Forwarded {
  readonly statusCode?: number;
  /** Why there is no answer: `timeout`, or Node's error code. */
  readonly error?: string;
  readonly durationMilliseconds: number;
}

/** The same as for a webhook. */
const timeout = 15_000;

/** Sends the event as a webhook. */
export async function forward(
  url: URL,
  { eventId, body }: Pick<ListedEvent, 'eventId' | 'body'>,
  { signingSecret, signal }: { readonly signingSecret: string; readonly signal: AbortSignal },
): Promise<Forwarded> {
  const startedAt = Date.now();
  const timedOut = AbortSignal.timeout(timeout);
  const headers = signatureHeaders({
    eventId,
    timestamp: toEpochSeconds(startedAt),
    body,
    secrets: [signingSecret],
  });
  const result = await post(url, headers, body, AbortSignal.any([signal, timedOut])).then(
    (statusCode) => ({ statusCode }),
    (error: unknown) => ({ error: timedOut.aborted ? 'timeout' : nameOf(error) }),
  );
  return { ...result, durationMilliseconds: Date.now() - startedAt };
}

function post(url: URL, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<number> {
  const bytes = Buffer.from(body);
  const options = {
    method: 'POST',
    agent: false,
    lookup: loopbackLookup,
    signal,
    headers: { 'content-type': 'application/json', 'content-length': bytes.length, ...headers },
  } as const;
  return new Promise((answered, failed) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, (response) => {
      answered(response.statusCode ?? 0);
      // How the response ends no longer matters.
      response.on('error', () => undefined).resume();
    });
    request.on('error', failed);
    request.end(bytes);
  });
}

/** Checks again: the name may resolve to another address by now. */
const loopbackLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error || !first) callback(error ?? new Error('no address'), '', 4);
    else if (!addresses.every(({ address }) => isLoopback(address)))
      callback(Object.assign(new Error('not this machine'), { code: 'NOT_LOOPBACK' }), '', 4);
    else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

function nameOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'network_error';
}
