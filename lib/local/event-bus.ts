import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import * as z from 'zod';
import { accountId, nameInArn, region } from './account.ts';
import type { AsyncInvocations } from './async-invocations.ts';
import { compilePattern, type Matcher } from './event-pattern.ts';
import { parseJson, valueAt, type JsonObject } from './json.ts';
import { inert, text } from './property-schema.ts';
import type { Queues } from './queues.ts';
import { SetupError } from './setup-error.ts';
import type { Resource } from './template.ts';

export const eventBusProperties = z.strictObject({
  Name: z.string(),
  Description: inert('for readers'),
});

export const ruleProperties = z.strictObject({
  EventBusName: text,
  EventPattern: z.record(z.string(), z.unknown()).optional(),
  ScheduleExpression: text,
  State: z.literal('ENABLED').optional(),
  Targets: z.array(
    z.strictObject({
      Arn: z.string(),
      Id: z.string(),
      InputPath: z
        .string()
        .regex(/^\$(\.[\w-]+)*$/, 'only a path such as $.detail')
        .optional(),
      InputTransformer: inert('only messages to topics have one, and nobody on a laptop subscribes to a topic'),
      DeadLetterConfig: inert('PutEvents answers only when every target has accepted, so nothing is left over'),
    }),
  ),
});

type Rule = Resource<z.output<typeof ruleProperties>>;
type Target = Rule['properties']['Targets'][number];

interface Options {
  readonly buses: readonly Resource<z.output<typeof eventBusProperties>>[];
  readonly rules: readonly Rule[];
  readonly invocations: AsyncInvocations;
  readonly queues: Queues;
}

const putEvents = z.object({
  Entries: z
    .array(
      z.object({
        Source: z.string(),
        DetailType: z.string(),
        Detail: z.string().transform(parseJson).pipe(z.record(z.string(), z.unknown())),
        EventBusName: z.string(),
        Time: z.number().optional(),
      }),
    )
    .min(1)
    .max(10),
});
type Entry = z.output<typeof putEvents>['Entries'][number];

/** Unlike AWS, `PutEvents` waits until every target accepts, so a crash loses no event. */
export function createEventBus({ buses, rules, invocations, queues }: Options) {
  const patterns = rules.flatMap(({ logicalId, properties }) =>
    properties.EventPattern === undefined
      ? []
      : [
          {
            bus: nameInArn(properties.EventBusName ?? 'default'),
            matches: compilePattern(properties.EventPattern, logicalId),
            targets: properties.Targets,
          },
        ],
  );
  const schedules = rules.flatMap((rule) =>
    rule.properties.ScheduleExpression === undefined
      ? []
      : [{ rule, minutes: minutesOf(rule, rule.properties.ScheduleExpression) }],
  );
  const timers = new Set<NodeJS.Timeout>();

  async function publish(bus: string, event: JsonObject): Promise<void> {
    const targets = patterns.filter((rule) => rule.bus === bus && rule.matches(event)).flatMap((rule) => rule.targets);
    await Promise.all(targets.map((target) => deliver(target, event)));
  }

  async function deliver(target: Target, event: JsonObject): Promise<void> {
    if (isTopic(target)) return;
    const payload = atPath(event, target.InputPath ?? '$') ?? null;
    if (target.Arn.includes(':lambda:')) return invocations.accept(nameInArn(target.Arn), payload);
    await queues.send(target.Arn, JSON.stringify(payload));
  }

  async function accept(entry: Entry): Promise<{ EventId: string } | { ErrorCode: string; ErrorMessage: string }> {
    const { Source: source, DetailType: type, Detail: detail, Time } = entry;
    const bus = nameInArn(entry.EventBusName);
    if (!buses.some(({ name }) => name === bus))
      return { ErrorCode: 'InvalidArgument', ErrorMessage: 'This event bus does not exist.' };
    const id = randomUUID();
    const time = Time === undefined ? new Date() : new Date(Time * 1000);
    try {
      await publish(bus, envelope({ id, time, type, source, resources: [], detail }));
      return { EventId: id };
    } catch {
      return { ErrorCode: 'InternalFailure', ErrorMessage: 'A target did not accept the event. Publish it again.' };
    }
  }

  async function fire({ name, properties }: Rule): Promise<void> {
    const resources = [`arn:aws:events:${region}:${accountId}:rule/${name}`];
    const event = envelope({
      id: randomUUID(),
      time: new Date(),
      type: 'Scheduled Event',
      source: 'aws.events',
      resources,
      detail: {},
    });
    await Promise.all(properties.Targets.map((target) => deliver(target, event)));
  }

  return {
    async handle(request: IncomingMessage, response: ServerResponse) {
      const operation = request.headers['x-amz-target'];
      const body = putEvents.safeParse(parseJson(await readText(request)));
      response.setHeader('content-type', 'application/x-amz-json-1.1');
      if (operation !== 'AWSEvents.PutEvents' || !body.success) {
        response.writeHead(400).end(
          JSON.stringify({
            __type: 'ValidationException',
            message: 'Only PutEvents with 1 to 10 complete entries is supported.',
          }),
        );
        return;
      }
      const Entries = await Promise.all(body.data.Entries.map(accept));
      response.end(
        JSON.stringify({ Entries, FailedEntryCount: Entries.filter((entry) => 'ErrorCode' in entry).length }),
      );
    },
    /** Starts the schedules that fire at least once every `longestMinutes` minutes. */
    startSchedules(longestMinutes = Infinity) {
      for (const { rule, minutes } of schedules) {
        if (minutes > longestMinutes) continue;
        const period = minutes * 60_000;
        const next = () => {
          const timer = setTimeout(
            () => {
              timers.delete(timer);
              next();
              // A target disappears only when the stack stops.
              fire(rule).catch(() => {});
            },
            period - (Date.now() % period),
          );
          timers.add(timer);
        };
        next();
      }
    },
    async fireSchedules() {
      await Promise.all(schedules.map(({ rule }) => fire(rule)));
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** Throws SetupError for an unsupported pattern or schedule. */
export function checkRule(rule: Rule): void {
  const { EventPattern, ScheduleExpression, Targets } = rule.properties;
  if (Targets.some((target) => target.InputTransformer !== undefined && !isTopic(target)))
    throw new SetupError(`${rule.logicalId}: the local stack transforms no input of a function or a queue.`);
  if (EventPattern !== undefined) compilePattern(EventPattern, rule.logicalId) satisfies Matcher;
  if (ScheduleExpression !== undefined) minutesOf(rule, ScheduleExpression);
}

const minutesIn: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 1440 };

function minutesOf({ logicalId }: Rule, expression: string): number {
  const [, count = '0', unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const minutes = Number(count) * (minutesIn[unit] ?? 0);
  if (minutes === 0) {
    throw new SetupError(`${logicalId}: the local stack supports schedules such as rate(1 minute), not ${expression}.`);
  }
  return minutes;
}

function isTopic({ Arn }: Target): boolean {
  return Arn.includes(':sns:');
}

function atPath(event: JsonObject, path: string): unknown {
  return path === '$' ? event : valueAt(event, path.slice(2).split('.'));
}

function envelope(event: {
  id: string;
  time: Date;
  type: string;
  source: string;
  resources: readonly string[];
  detail: object;
}): JsonObject {
  return {
    version: '0',
    id: event.id,
    'detail-type': event.type,
    source: event.source,
    account: accountId,
    time: `${event.time.toISOString().slice(0, 19)}Z`,
    region,
    resources: event.resources,
    detail: event.detail,
  };
}
