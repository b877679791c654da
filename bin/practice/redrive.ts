import { setTimeout as pause } from 'node:timers/promises';
import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand, type Message } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { dispatchTicket } from '../../functions/contract/tickets.ts';
import { rescheduleDispatch } from '../../functions/store/events.ts';
import { command } from './command.ts';
import { OperatorError, type DeadLetters, type OperatedStack } from './stack.ts';

export const redriveCommand = command({ queue: z.optional(z.string()) }, redrive);

/** Milliseconds between messages: at most fifty a second, so as not to overload what they failed on. */
const interval = 20;
/** In seconds. A message that is kept is hidden for as long. */
const visibilityTimeout = 300;

type Result = 'redriven' | 'dropped' | 'kept';
type Counts = Record<Result, number>;

/**
 * Moves the messages of every dead-letter queue, or of one, back to where they came from, roughly oldest first.
 * StartMessageMoveTask supports neither failed streams, rules and invocations nor local queues.
 * Messages without work are dropped, unreadable ones kept. If interrupted, it may move a message twice, which is safe.
 * Returns counts per queue.
 */
export async function redrive(stack: OperatedStack, { queue }: { queue?: string | undefined }, now: number) {
  const chosen = stack.deadLetters.filter(({ name }) => queue === undefined || name === queue);
  if (chosen.length === 0)
    throw new OperatorError(
      `There is no such queue. The queues are ${stack.deadLetters.map(({ name }) => name).join(', ')}.`,
    );
  const counted = await Promise.all(
    chosen.map(async (letters) => ({ name: letters.name, counts: await empty(stack, letters, now) })),
  );
  const by = (result: Result) => Object.fromEntries(counted.map(({ name, counts }) => [name, counts[result]]));
  return { redriven: by('redriven'), dropped: by('dropped'), kept: by('kept') } satisfies Record<Result, object>;
}

/** Moves what was in the queue at `now`. What fails again in the meantime is left alone, or this might never end. */
async function empty(stack: OperatedStack, letters: DeadLetters, now: number): Promise<Counts> {
  const counts: Counts = { redriven: 0, dropped: 0, kept: 0 };
  const left = new Set<string | undefined>();
  for (let received = await receive(stack, letters); received.length > 0; received = await receive(stack, letters)) {
    for (const message of received.filter(({ MessageId }) => !left.has(MessageId))) {
      const result = sentAt(message) > now ? undefined : await redriveMessage(stack, letters, message, now);
      if (result !== undefined) counts[result] += 1;
      if (result === undefined || result === 'kept') left.add(message.MessageId);
      else
        await stack.sqs.send(
          new DeleteMessageCommand({ QueueUrl: letters.queueUrl, ReceiptHandle: message.ReceiptHandle }),
        );
      await pause(interval);
    }
  }
  return counts;
}

async function receive({ sqs }: OperatedStack, { queueUrl }: DeadLetters): Promise<Message[]> {
  const { Messages = [] } = await sqs.send(
    // Without a wait, SQS asks only some of the queue's servers.
    new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: 1,
      VisibilityTimeout: visibilityTimeout,
      MessageSystemAttributeNames: ['All'],
    }),
  );
  return Messages.sort((one, other) => sentAt(one) - sentAt(other));
}

/** Milliseconds since 1970. */
function sentAt({ Attributes }: Message): number {
  return Number(Attributes?.SentTimestamp ?? 0);
}

async function redriveMessage(
  { sqs, database }: OperatedStack,
  letters: DeadLetters,
  { Body = '', Attributes }: Message,
  now: number,
): Promise<Result> {
  switch (letters.kind) {
    case 'ticket': {
      const event = z.safeParse(busEvent, parseJson(Body));
      const ticket = event.success ? JSON.stringify(event.data.detail) : Body;
      await sqs.send(
        new SendMessageCommand({
          QueueUrl: letters.target,
          MessageBody: ticket,
          MessageGroupId: Attributes?.MessageGroupId,
        }),
      );
      return 'redriven';
    }
    case 'event': {
      const found = z.safeParse(failedEvent, parseJson(Body));
      if (!found.success) return 'kept';
      return (await rescheduleDispatch(database, found.data, now)) ? 'redriven' : 'dropped';
    }
    case 'none':
      return 'dropped';
    default: {
      const never: never = letters;
      return never;
    }
  }
}

/** An event that EventBridge could not deliver. Its rule may already have turned it into a ticket. */
const busEvent = z.object({ detail: z.looseObject({}) });

/** The event id in a failed EventBridge delivery, a failed Lambda invocation and a parked stream image. */
const failedEvent = z.union([
  z.pipe(
    dispatchTicket,
    z.transform(({ eventId }) => eventId),
  ),
  z.pipe(
    z.object({ detail: dispatchTicket }),
    z.transform(({ detail }) => detail.eventId),
  ),
  z.pipe(
    z.object({ requestPayload: dispatchTicket }),
    z.transform(({ requestPayload }) => requestPayload.eventId),
  ),
  z.pipe(
    z.object({ image: z.object({ eventId: z.object({ S: z.string() }) }) }),
    z.transform(({ image }) => image.eventId.S),
  ),
]);

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
