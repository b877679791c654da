import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { Problem } from '../contract/problem.ts';
import { unreachable } from '../domain/fault.ts';
import type { DeadLetter, DeadLetterMessages } from '../messages/dead-letters.ts';
import type { ReadingTools } from '../store/database.ts';
import { rescheduleDispatch } from '../store/webhooks/events.ts';

const named = { name: z.string(), queueUrl: z.url() };

export const deadLetterQueue = z.discriminatedUnion('kind', [
  z.object({ ...named, kind: z.literal('ticket'), target: z.url() }),
  z.object({ ...named, kind: z.literal('event') }),
  z.object({ ...named, kind: z.literal('none') }),
]);
type DeadLetterQueue = z.infer<typeof deadLetterQueue>;

export interface RedriveTools extends ReadingTools {
  readonly deadLetterQueues: readonly DeadLetterQueue[];
  readonly deadLetterMessages: DeadLetterMessages;
}

/** Milliseconds between messages: at most fifty a second, so as not to overload what failed. */
const interval = 20;

type Result = 'redriven' | 'dropped' | 'kept';
type Counts = Record<Result, number>;

/** Retries dead letters. SQS's own redrive moves only messages that came from a queue. */
export async function redrive(
  tools: RedriveTools,
  { queue: wanted }: { readonly queue?: string | undefined },
  now: number,
): Promise<Record<Result, Readonly<Record<string, number>>>> {
  const chosen = tools.deadLetterQueues.filter(({ name }) => wanted === undefined || name === wanted);
  if (chosen.length === 0) {
    const names = tools.deadLetterQueues.map(({ name }) => name).join(', ');
    throw new Problem('queue_not_found', `There is no such queue. The queues are ${names}.`);
  }
  const counted = await Promise.all(
    chosen.map(async (queue) => ({ name: queue.name, counts: await empty(tools, queue, now) })),
  );
  const by = (result: Result) => Object.fromEntries(counted.map(({ name, counts }) => [name, counts[result]]));
  return { redriven: by('redriven'), dropped: by('dropped'), kept: by('kept') };
}

/** Leaves messages that arrive after `now`: otherwise it might never end. */
async function empty(tools: RedriveTools, queue: DeadLetterQueue, now: number): Promise<Counts> {
  const { receive, remove } = tools.deadLetterMessages;
  const counts: Counts = { redriven: 0, dropped: 0, kept: 0 };
  const left = new Set<string>();
  for (let letters = await receive(queue.queueUrl); letters.length > 0; letters = await receive(queue.queueUrl)) {
    for (const letter of letters.filter(({ messageId }) => !left.has(messageId))) {
      const result = letter.sentAt > now ? undefined : await redriveLetter(tools, queue, letter, now);
      if (result !== undefined) counts[result] += 1;
      if (result === undefined || result === 'kept') left.add(letter.messageId);
      else await remove(queue.queueUrl, letter);
      await pause(interval);
    }
  }
  return counts;
}

async function redriveLetter(
  { deadLetterMessages, database }: RedriveTools,
  queue: DeadLetterQueue,
  { body, groupId }: DeadLetter,
  now: number,
): Promise<Result> {
  switch (queue.kind) {
    case 'ticket': {
      const event = z.safeParse(busEvent, parseJson(body));
      await deadLetterMessages.send(queue.target, {
        body: event.success ? JSON.stringify(event.data.detail) : body,
        groupId,
      });
      return 'redriven';
    }
    case 'event': {
      const { data: parked } = z.safeParse(parkedEvent, parseJson(body));
      if (!parked) return 'kept';
      return (await rescheduleDispatch(database, parked.eventId, now)) ? 'redriven' : 'dropped';
    }
    case 'none':
      return 'dropped';
    default:
      return unreachable(queue);
  }
}

const busEvent = z.object({ detail: z.looseObject({}) });

const parkedEvent = z.object({ eventId: z.string() });

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
