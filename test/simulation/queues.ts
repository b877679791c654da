import type {
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  SQSBatchResponse,
  SQSEvent,
} from 'aws-lambda';
import { batchesOf } from '../../functions/domain/collections.ts';
import type { SendTickets } from '../../functions/messages/queues.ts';
import type { World } from './world.ts';

interface Message {
  readonly id: string;
  readonly body: string;
  at: number;
  receives: number;
}

const maximumReceives = 5;
/** Milliseconds until a message that failed is received again. */
const visibility = 10_000;

const silent = (): never => {
  throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
};
export const refusals = {
  throttled: (): never => {
    throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
  },
  silent,
};

/** Delivers at least once and in any order, and moves what keeps failing to its dead letters. */
export function createQueue(world: World, name: string, handle: (event: SQSEvent) => Promise<SQSBatchResponse>) {
  const messages: Message[] = [];
  const deadLetters: string[] = [];
  let sent = 0;

  function add(body: string, delay = 0): void {
    sent += 1;
    const message = { id: `${name} ${sent}`, body, at: world.now() + Math.max(0, delay), receives: 0 };
    // Behaves as if its consumer had failed for days.
    if (world.fails(0.5)) deadLetters.push(body);
    else messages.push(message);
    if (world.fails(0.5)) messages.push({ ...message, id: `${message.id} again` });
  }

  function giveBack(message: Message): void {
    if (message.receives >= maximumReceives) deadLetters.push(message.body);
    else messages.push({ ...message, at: world.now() + visibility });
  }

  world.sources.push({
    ready: () => messages.some(({ at }) => at <= world.now()),
    begin() {
      const batch: Message[] = [];
      const size = 1 + Math.floor(world.random() * 3);
      for (let ready = messages.filter(({ at }) => at <= world.now()); batch.length < size && ready.length > 0;) {
        const message = world.pick(ready);
        if (!message) break;
        messages.splice(messages.indexOf(message), 1);
        ready = ready.filter((each) => each !== message);
        message.receives += 1;
        batch.push(message);
      }
      const Records = batch.map(({ id, body }) => ({ messageId: id, body })) as SQSEvent['Records'];
      world.start(
        name,
        () => handle({ Records }),
        (ending, task) => {
          const failed =
            ending.how === 'done'
              ? ending.result.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)
              : batch.map(({ id }) => id);
          for (const message of batch) if (failed.includes(message.id)) giveBack(message);
          if (failed.length > 0 && !task.hurt)
            world.violations.add(`the consumer of ${name} failed although nothing failed around it`);
        },
      );
    },
  });

  const send: SendTickets = async (tickets) => {
    for (const batch of batchesOf(tickets, 10)) {
      const accept = async () => batch.forEach(({ body, delay }) => add(JSON.stringify(body), delay));
      await world.call(`send to ${name}`, accept, refusals);
    }
  };

  return {
    send,
    add,
    deadLetters,
    isEmpty: () => messages.length === 0,
    nextAt: () => Math.min(...messages.map(({ at }) => at)),
  };
}

export type Queue = ReturnType<typeof createQueue>;

/** Delivers a table's new rows in order, from the first one that failed, and sometimes again. */
export function createStream(
  world: World,
  name: string,
  handle: (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>,
  { forgets }: { readonly forgets: boolean },
) {
  let records: DynamoDBRecord[] = [];
  let busy = false;
  let count = 0;

  world.sources.push({
    ready: () => !busy && records.length > 0,
    begin() {
      busy = true;
      const Records = records.slice(0, 1 + Math.floor(world.random() * 5));
      world.start(
        name,
        () => handle({ Records }),
        (ending, task) => {
          busy = false;
          const failed =
            ending.how === 'done'
              ? ending.result.batchItemFailures[0]?.itemIdentifier
              : Records[0]?.dynamodb?.SequenceNumber;
          const end =
            failed === undefined
              ? Records.length
              : Records.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failed);
          if (!world.fails(0.5)) records = records.slice(end);
          if (failed !== undefined && !task.hurt)
            world.violations.add(`${name} failed although nothing failed around it`);
        },
      );
    },
  });

  return {
    add(image: Readonly<Record<string, unknown>>): void {
      count += 1;
      const dynamodb = { NewImage: image, Keys: { eventId: image['eventId'] }, SequenceNumber: String(count) };
      // Behaves as if it had failed until the stream forgot the record.
      if (!forgets || !world.fails(0.5)) records.push({ dynamodb } as DynamoDBRecord);
    },
    isEmpty: () => records.length === 0,
  };
}
