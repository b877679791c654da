import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { Duration } from 'aws-cdk-lib';
import { EventBus, EventField, Match, Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction, SnsTopic, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { receive, runTestStack, stopTestStack, type RunningTestStack } from './test-stack.ts';
import { until } from '../support/until.ts';

let stack: RunningTestStack;
/** The names of those that have ended. */
const ended: string[] = [];

beforeAll(async () => {
  stack = await runTestStack(
    ({ stack, fn, directory }) => {
      const eventBus = new EventBus(stack, 'Bus');
      const failures = new Queue(stack, 'Failures');
      const mail = new Queue(stack, 'Mail');
      const all = fn('All', `record({ from: 'all', event });`);
      const detail = fn('Detail', `record({ from: 'detail', event });`);
      const failing = fn(
        'Failing',
        `record({ from: 'failing', at: Date.now(), id: context.awsRequestId }); throw new TypeError('no');`,
        { retryAttempts: 2, onFailure: new SqsDestination(failures) },
      );
      const sweep = fn('Sweep', `record({ from: 'sweep', event });`);
      new Rule(stack, 'AllRule', {
        eventBus,
        eventPattern: { source: ['payments'], detailType: Match.prefix('session.') },
        targets: [new LambdaFunction(all)],
      });
      new Rule(stack, 'DetailRule', {
        eventBus,
        eventPattern: { detailType: ['session.paid'] },
        targets: [new LambdaFunction(detail, { event: RuleTargetInput.fromEventPath('$.detail') }), new SqsQueue(mail)],
      });
      new Rule(stack, 'OwnersRule', {
        eventBus,
        eventPattern: { detailType: ['session.last'] },
        targets: [
          new SnsTopic(new Topic(stack, 'Owners'), {
            message: RuleTargetInput.fromText(`${EventField.detailType} is told to nobody`),
          }),
        ],
      });
      new Rule(stack, 'FailRule', {
        eventBus,
        eventPattern: { detailType: ['fail'] },
        targets: [new LambdaFunction(failing)],
      });
      const hanging = fn(
        'Hanging',
        `record({ from: 'hanging', id: context.awsRequestId, detail: event.detail }); if (event.detail.hang && !require('node:fs').existsSync(process.env.GO)) await new Promise((done) => setTimeout(done, 60_000));`,
        { environment: { GO: join(directory, 'go') }, timeout: Duration.minutes(2) },
      );
      new Rule(stack, 'HangRule', {
        eventBus,
        eventPattern: { detailType: ['hang'] },
        targets: [new LambdaFunction(hanging)],
      });
      new Rule(stack, 'SweepRule', {
        schedule: Schedule.rate(Duration.minutes(1)),
        targets: [new LambdaFunction(sweep)],
      });
    },
    { asyncRetryDelays: [40, 80], onInvocation: ({ target }) => ended.push(target.name) },
  );
});
afterAll(() => stopTestStack(stack));

const recorded = (from: string) => stack.recorded().filter((entry) => entry.from === from);

async function publish(DetailType: string, detail: object, bus = 'Bus') {
  const client = new EventBridgeClient({
    endpoint: stack.environment['AWS_ENDPOINT_URL_EVENTBRIDGE']!,
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  const EventBusName = bus === 'Bus' ? stack.resourceName('Bus') : bus;
  return client.send(
    new PutEventsCommand({
      Entries: [{ Source: 'payments', DetailType, Detail: JSON.stringify(detail), EventBusName }],
    }),
  );
}

it('sends a matching event to every target: whole, in part, or as a message', async () => {
  const answer = await publish('session.paid', { practiceId: 'p1', amount: 5 });
  expect(answer).toMatchObject({ FailedEntryCount: 0, Entries: [{ EventId: expect.any(String) }] });
  const whole = () => recorded('all').filter(({ event }) => event['detail-type'] === 'session.paid');
  await until(() => whole().length === 1 && recorded('detail').length === 1);
  expect(whole()[0].event).toMatchObject({
    version: '0',
    id: answer.Entries?.[0]?.EventId,
    source: 'payments',
    account: '000000000000',
    region: 'us-east-1',
    resources: [],
    detail: { practiceId: 'p1', amount: 5 },
  });
  expect(recorded('detail')[0].event).toEqual({ practiceId: 'p1', amount: 5 });
  const [mail] = await receive(stack, 'Mail');
  expect(JSON.parse(mail?.Body ?? '')).toMatchObject({ detail: { amount: 5 } });
});

it('drops an event that matches no rule, and accepts one for a topic that nothing reads locally', async () => {
  expect((await publish('other', {})).FailedEntryCount).toBe(0);
  expect((await publish('session.last', {})).FailedEntryCount).toBe(0);
  await until(() => recorded('all').some(({ event }) => event['detail-type'] === 'session.last'));
  expect(recorded('all').some(({ event }) => event['detail-type'] === 'other')).toBe(false);
});

it('rejects an entry for a bus that does not exist', async () => {
  expect(await publish('session.paid', {}, 'nowhere')).toMatchObject({
    FailedEntryCount: 1,
    Entries: [{ ErrorCode: 'InvalidArgument' }],
  });
});

it('retries a failing function, then sends the event to its failure destination', async () => {
  await publish('fail', { a: 1 });
  const [failure] = await receive(stack, 'Failures');
  const attempts = recorded('failing');
  expect(attempts).toHaveLength(3);
  expect(new Set(attempts.map(({ id }) => id)).size).toBe(1);
  expect(attempts[1].at - attempts[0].at).toBeGreaterThanOrEqual(40);
  expect(JSON.parse(failure?.Body ?? '')).toMatchObject({
    version: '1.0',
    requestContext: { condition: 'RetriesExhausted', approximateInvokeCount: 3, requestId: attempts[0].id },
    requestPayload: { 'detail-type': 'fail', detail: { a: 1 } },
    responseContext: { statusCode: 200, functionError: 'Unhandled' },
    responsePayload: { errorType: 'TypeError', errorMessage: 'no' },
  });
});

it("fires scheduled rules on demand with EventBridge's event", async () => {
  await stack.fireSchedules();
  await until(() => recorded('sweep').length > 0);
  expect(recorded('sweep')[0].event).toMatchObject({
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    detail: {},
  });
});

it('continues after a restart with an event that was accepted but had not ended', async () => {
  await publish('hang', { hang: true });
  await until(() => recorded('hanging').length === 1);
  writeFileSync(join(stack.directory, 'go'), '');
  stack = await stack.restart();
  ended.length = 0;
  await until(() => recorded('hanging').length === 2 && ended.includes(stack.resourceName('Hanging')));
  expect(new Set(recorded('hanging').map(({ id }) => id)).size).toBe(1);
  stack = await stack.restart();
  await publish('hang', { last: true });
  await until(() => recorded('hanging').some(({ detail }) => detail.last));
  expect(recorded('hanging')).toHaveLength(3);
});
