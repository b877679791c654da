import { lookup } from 'node:dns';
import { lookup as resolve } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { InvalidArgumentError } from 'commander';
import { isThisMachine } from '../../functions/domain/webhooks/webhook-target.ts';
import type { AttemptOutcome } from '../../functions/domain/webhooks/delivery.ts';
import { signatureHeaders } from '../../functions/domain/webhooks/webhook-signature.ts';
import { toEpochSeconds } from '../../functions/domain/time.ts';
import { AttemptFailure, lookupFailure } from '../../functions/webhooks/attempt-error.ts';
import { postUnchecked } from '../../functions/webhooks/post.ts';
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
  if (isThisMachine(host)) return url;
  const addresses = await resolve(host, { all: true }).catch(() => []);
  if (addresses.length === 0) throw wrong(`There is no host ${host}.`);
  if (!addresses.every(({ address }) => isLoopback(address))) throw wrong('Events are forwarded only to this machine.');
  return url;
}

export interface Forwarded extends AttemptOutcome {
  readonly durationMilliseconds: number;
}

/** Sends the event as a webhook, and reports the same reasons. */
export async function forward(
  { href: url }: URL,
  { eventId, body }: Pick<ListedEvent, 'eventId' | 'body'>,
  { signingSecret, signal }: { readonly signingSecret: string; readonly signal: AbortSignal },
): Promise<Forwarded> {
  const startedAt = Date.now();
  const timestamp = toEpochSeconds(startedAt);
  const headers = signatureHeaders({ eventId, timestamp, body, secrets: [signingSecret] });
  const sent = await postUnchecked({ url, headers, body }, true, { lookup: loopbackLookup, signal });
  const { statusCode, error, redirectsTo } = sent;
  return { statusCode, error, redirectsTo, durationMilliseconds: Date.now() - startedAt };
}

/** Checks again: the name may resolve to another address by now. `localhost` is 127.0.0.1, as for a webhook. */
const loopbackLookup: LookupFunction = (hostname, options, callback) => {
  const host = isThisMachine(hostname) ? '127.0.0.1' : hostname;
  lookup(host, { ...options, family: 0, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error || !first) callback(lookupFailure(error ?? new Error('no address')), '', 4);
    else if (!addresses.every(({ address }) => isLoopback(address)))
      callback(new AttemptFailure('blocked_address'), '', 4);
    else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
