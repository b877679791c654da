import { setTimeout as wait } from 'node:timers/promises';
import type { ListedEvent, PaymentClient } from '../../web/client/index.ts';
import { isTransient } from '../../web/client/retry.ts';

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
