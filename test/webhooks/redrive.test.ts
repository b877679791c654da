import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, it } from 'vitest';
import { getEvent, markDispatched } from '../../functions/store/webhooks/events.ts';
import { deadLetterMessages } from '../../functions/messages/dead-letters.ts';
import { redrive, type RedriveTools } from '../../functions/webhooks/redrive.ts';
import { accountId } from '../../lib/local/account.ts';
import { startFauxqs } from '../../lib/local/queues.ts';
import { awsConfig } from '../support/answered-client.ts';
import { startTestTables } from '../support/tables.ts';
import { storeEvent } from '../support/webhook-endpoint.ts';

const { database } = await startTestTables();
const fauxqs = await startFauxqs(undefined);
const client = new SQSClient(awsConfig(fauxqs.origin));
afterAll(async () => {
  client.destroy();
  await fauxqs.stop();
});
const letters = deadLetterMessages(client);

let queues = 0;
function aQueue(): string {
  const name = `queue-${(queues += 1)}`;
  fauxqs.server.createQueue(name);
  return `${fauxqs.origin}/${accountId}/${name}`;
}

/** Dead letters of one kind, in their own queue. */
async function deadLetters(kind: 'ticket' | 'event' | 'none', ...bodies: (object | string)[]) {
  const [queueUrl, target] = [aQueue(), aQueue()];
  for (const body of bodies)
    await letters.send(queueUrl, {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      groupId: undefined,
    });
  const queue = kind === 'ticket' ? { kind, target } : { kind };
  const tools: RedriveTools = {
    database,
    deadLetterQueues: [{ name: 'Failed', queueUrl, ...queue }],
    deadLetterMessages: letters,
  };
  return {
    tools,
    target,
    async redrive(now = Date.now()) {
      const { redriven, dropped, kept } = await redrive(tools, {}, now);
      return [redriven['Failed'], dropped['Failed'], kept['Failed']];
    },
    left: () => fauxqs.server.inspectQueue(queueUrl.split('/').at(-1) ?? '')?.messages,
  };
}

const parked = (eventId: string) => ({ sequenceNumber: '1', eventId });

async function dispatchedEvent(): Promise<string> {
  const eventId = await storeEvent(database, 'prc_lakeside', Date.now());
  await markDispatched(database, eventId);
  return eventId;
}

describe.concurrent('a redrive', () => {
  it('moves several batches unchanged and in order, at most fifty messages per second', async ({ expect }) => {
    const bodies = Array.from({ length: 25 }, (_, index) => `{ "sessionId": "ses_${index}" }`);
    const { redrive, target, left } = await deadLetters('ticket', ...bodies);
    expect(await redrive()).toEqual([25, 0, 0]);
    const moved = [];
    for (let batch = 0; batch < 3; batch += 1) moved.push(...(await letters.receive(target)));
    expect(moved.map(({ body }) => body)).toEqual(bodies);
    expect((moved.at(-1)?.sentAt ?? 0) - (moved[0]?.sentAt ?? 0)).toBeGreaterThanOrEqual(24 * 19);
    expect(left()).toMatchObject({ ready: [], inflight: [] });
  });

  it('makes a ticket of an event of the bus', async ({ expect }) => {
    const ticket = { eventId: 'evt_1', sessionId: 'ses_1', practiceId: 'prc_1' };
    const event = { version: '0', 'detail-type': 'session.payment.processing', detail: ticket };
    const { redrive, target } = await deadLetters('ticket', event);
    expect(await redrive()).toEqual([1, 0, 0]);
    const [moved] = await letters.receive(target);
    expect(JSON.parse(moved?.body ?? '')).toEqual(ticket);
  });

  it('drops messages without work: failures of the sweep, and events that were dispatched or do not exist', async ({
    expect,
  }) => {
    const eventId = await dispatchedEvent();
    const events = await deadLetters('event', parked(eventId), parked('evt_gone'));
    expect(await events.redrive()).toEqual([0, 2, 0]);
    expect(await getEvent(database, eventId)).not.toHaveProperty('dueShard');
    const sweeps = await deadLetters('none', { requestPayload: { source: 'aws.events' } });
    expect(await sweeps.redrive()).toEqual([0, 1, 0]);
  });

  it('has events published that were not', async ({ expect }) => {
    const now = Date.now();
    const eventIds = [await storeEvent(database, 'prc_lakeside', now), await storeEvent(database, 'prc_lakeside', now)];
    const [one = '', two = ''] = eventIds;
    const { redrive } = await deadLetters('event', parked(one), parked(two));
    const dueBefore = await Promise.all(eventIds.map(async (eventId) => (await getEvent(database, eventId))?.dueAt));
    expect(await redrive()).toEqual([2, 0, 0]);
    for (const [index, eventId] of eventIds.entries())
      expect(String((await getEvent(database, eventId))?.dueAt) < String(dueBefore[index])).toBe(true);
  });

  it('keeps messages that it cannot read', async ({ expect }) => {
    const { redrive, left } = await deadLetters('event', 'no JSON', { sequenceNumber: '1' });
    expect(await redrive()).toEqual([0, 0, 2]);
    expect(left()?.inflight).toHaveLength(2);
  });

  it('leaves messages that arrived after it began, so that it always ends', async ({ expect }) => {
    const began = Date.now() - 1;
    const { redrive, left } = await deadLetters('ticket', { sessionId: 'ses_1' });
    expect(await redrive(began)).toEqual([0, 0, 0]);
    expect(left()?.inflight).toHaveLength(1);
  });

  it('keeps the group of a message, which decides its fair share', async ({ expect }) => {
    const { tools, target } = await deadLetters('ticket', {});
    const sent: unknown[] = [];
    // fauxqs supports groups on FIFO queues only, so add one here.
    const grouping = new SQSClient(awsConfig(fauxqs.origin));
    grouping.middlewareStack.add(
      (next) => async (args) => {
        sent.push(args.input);
        const answer = await next(args);
        if ('Messages' in answer.output)
          for (const { Attributes } of answer.output.Messages ?? [])
            Object.assign(Attributes ?? {}, { MessageGroupId: 'whe_1' });
        return answer;
      },
      { step: 'initialize' },
    );
    await redrive({ ...tools, deadLetterMessages: deadLetterMessages(grouping) }, {}, Date.now());
    expect(sent).toContainEqual({ QueueUrl: target, MessageBody: '{}', MessageGroupId: 'whe_1' });
    grouping.destroy();
  });
});

it('takes only the queue that is named', async () => {
  const [named, other] = [await deadLetters('none', 'one'), await deadLetters('none', 'two')];
  const queues = [...other.tools.deadLetterQueues, ...named.tools.deadLetterQueues];
  const deadLetterQueues = queues.map((queue, index) => ({ ...queue, name: ['Other', 'Named'][index] ?? '' }));
  const done = await redrive({ ...named.tools, deadLetterQueues }, { queue: 'Named' }, Date.now());
  expect(done).toEqual({ redriven: { Named: 0 }, dropped: { Named: 1 }, kept: { Named: 0 } });
  expect(other.left()?.ready).toHaveLength(1);
});

it('lists the queues when there is none of that name', async () => {
  const { tools } = await deadLetters('none');
  await expect(redrive(tools, { queue: 'Nonsense' }, Date.now())).rejects.toThrow(/The queues are Failed\./);
});
