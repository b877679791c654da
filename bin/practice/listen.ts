import { setTimeout as wait } from 'node:timers/promises';
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
import type { ListedEvent, PaymentClient } from '../../web/client/index.ts';
import { isTransient } from '../../web/client/send.ts';

export interface FeedOptions {
  readonly events: PaymentClient['events'];
  /** Ends the feed. */
  readonly signal: AbortSignal;
  /** Called when the API stops answering and when it answers again. */
  readonly onConnection: (state: 'lost' | 'restored') => void;
  /** Milliseconds between polls, and before the first retry. */
  readonly interval?: number;
}

/** Every event is listed within this time: the sweep writes an expiration up to minutes after it happened. */
const overlap = 300_000;
const longestWait = 30_000;

/**
 * Resolves when it has read the existing events. From then on, yields each new event once, and a session's events in order.
 * Retries until the API answers; a refusal ends the feed with an error.
 */
export async function openFeed(options: FeedOptions): Promise<AsyncGenerator<ListedEvent, void, undefined>> {
  const { events, signal, interval = 1000 } = options;
  const seen = new Set<string>();
  let newest: string | undefined;

  await persist(options, async () => {
    for await (const { eventId, createdAt } of events.list({}, { signal })) {
      newest ??= createdAt;
      if (createdAt < before(newest)) break;
      seen.add(eventId);
    }
  });
  const oldest = newest === undefined ? '' : before(newest);

  async function poll(): Promise<ListedEvent[]> {
    const since = newest === undefined ? {} : { since: before(newest) };
    const listed = await oldestFirst(events.list(since, { signal }));
    const found = new Map<string, ListedEvent>();
    for (const event of listed) {
      if (seen.has(event.eventId) || found.has(event.eventId)) continue;
      for (const each of await withPredecessors(event)) if (!seen.has(each.eventId)) found.set(each.eventId, each);
    }
    for (const eventId of found.keys()) seen.add(eventId);
    newest = listed.at(-1)?.createdAt ?? newest;
    return [...found.values()].filter(({ createdAt }) => createdAt >= oldest);
  }

  /** Adds earlier events of the session: its own list is strongly consistent, and may have what the other list lacks. */
  async function withPredecessors(event: ListedEvent): Promise<ListedEvent[]> {
    const { sessionId, eventId } = event;
    const predecessor = predecessorOf(eventId);
    if (sessionId === undefined || predecessor === undefined || seen.has(predecessor)) return [event];
    return oldestFirst(events.list({ sessionId }, { signal }));
  }

  return (async function* () {
    while (!signal.aborted) {
      yield* await persist(options, poll);
      await wait(interval, undefined, { signal });
    }
  })();
}

async function oldestFirst(events: AsyncIterable<ListedEvent>): Promise<ListedEvent[]> {
  const listed = [];
  for await (const event of events) listed.push(event);
  return listed.reverse();
}

/** Retries transient failures with exponential backoff and jitter. */
async function persist<Result>(
  { signal, onConnection, interval = 1000 }: FeedOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await work();
      if (attempt > 1) onConnection('restored');
      return result;
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (attempt === 1) onConnection('lost');
      const backoff = Math.min(longestWait, interval * 2 ** (attempt - 1));
      await wait(backoff * (0.5 + Math.random() / 2), undefined, { signal });
    }
  }
}

function before(time: string): string {
  return new Date(Date.parse(time) - overlap).toISOString();
}

/** `evt_…_2` for `evt_…_3`. */
function predecessorOf(eventId: string): string | undefined {
  const [, start, sequence] = /^(.+_)(\d+)$/.exec(eventId) ?? [];
  return start === undefined || sequence === '1' ? undefined : `${start}${Number(sequence) - 1}`;
}

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
