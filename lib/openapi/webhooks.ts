import { practiceEventTypes, type PracticeEventType } from '../../functions/domain/practices/platform.ts';
import { testEventType } from '../../functions/domain/webhooks/event.ts';
import {
  sessionEvents,
  sessionEventTypes,
  transitions,
  type SessionEventType,
} from '../../functions/domain/sessions/transitions.ts';
import { bodySchemas, growingValues, type Schema } from './schemas.ts';

/** Standard Webhooks 1.0.0 (standardwebhooks.com). */
const headers = [
  { name: 'webhook-id', description: "The event's id, the same in every attempt.", schema: { type: 'string' } },
  {
    name: 'webhook-timestamp',
    description: 'When this attempt was made, in seconds since 1970. Reject anything older than five minutes.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
  {
    name: 'webhook-signature',
    description:
      "`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the bytes of the endpoint's `whsec_…` secret. " +
      'There are several, separated by spaces, while a rotated secret is still valid; accept any match.',
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' },
  },
].map((header) => ({ ...header, in: 'header', required: true }));

const schemaName = (type: string) =>
  `${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;
const referenceTo = (type: string) => ({ $ref: `#/components/schemas/${schemaName(type)}` });
const eventTypes = [...sessionEventTypes, ...practiceEventTypes, testEventType];

const practiceSummaries = {
  'practice.joined': 'A practice joined your platform',
  'practice.left': 'A practice left your platform',
} as const satisfies Record<PracticeEventType, string>;

/** One schema per event type, and their union, discriminated by `type`. */
export function webhookSchemas() {
  const {
    SessionWebhook: session = {},
    PracticeJoinedWebhook: joined = {},
    PracticeLeftWebhook: left = {},
    TestWebhook: test = {},
  } = bodySchemas();
  const ofPractice: Readonly<Record<PracticeEventType, Schema>> = { 'practice.joined': joined, 'practice.left': left };
  return {
    ...Object.fromEntries(sessionEventTypes.map((type) => [schemaName(type), eventSchema(type, session)])),
    ...Object.fromEntries(
      practiceEventTypes.map((type) => [
        schemaName(type),
        { ...ofPractice[type], description: `${practiceSummaries[type]}.` },
      ]),
    ),
    [schemaName(testEventType)]: test,
    WebhookEvent: {
      description: 'The body of a webhook. Its `type` says which fields `data` has.',
      oneOf: eventTypes.map(referenceTo),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(eventTypes.map((type) => [type, referenceTo(type).$ref])),
      },
    },
  };
}

function eventSchema(type: SessionEventType, { properties: { data, ...fields } = {}, ...body }: Schema): Schema {
  if (typeof data !== 'object') throw new Error('A webhook of a session has data.');
  const { summary, facts, ...event } = sessionEvents[type];
  const own = [...facts, ...('sometimes' in event ? event.sometimes : [])];
  const ofOthers = Object.values(sessionEvents).flatMap((other) => other.facts.filter((fact) => !isIn(own, fact)));
  const possible = Object.values(transitions).filter(({ event }) => event === type);
  // The open event is not a transition: the session stays pending.
  const isTransition = possible.length > 0;
  const { previousStatus, ...others } = data.properties ?? {};
  return {
    ...body,
    description: `${summary}.`,
    properties: {
      ...fields,
      type: { ...narrowed(fields['type'], [type]) },
      data: {
        ...data,
        required: [...(data.required ?? []), ...(isTransition ? ['previousStatus'] : []), ...facts],
        properties: {
          ...Object.fromEntries(Object.entries(others).filter(([name]) => !isIn(ofOthers, name))),
          status: narrowed(data.properties?.['status'], isTransition ? possible.map(({ to }) => to) : ['pending']),
          ...(isTransition && {
            previousStatus: narrowed(
              previousStatus,
              possible.flatMap(({ from }) => from),
            ),
          }),
        },
      },
    },
  };
}

function isIn(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

function narrowed(schema: boolean | Schema | undefined, values: readonly string[]): Schema {
  const { enum: _, [growingValues]: __, ...rest } = typeof schema === 'object' ? schema : {};
  const [first, ...others] = new Set(values);
  return {
    ...rest,
    ...(first !== undefined && others.length === 0 ? { const: first } : { enum: [...new Set(values)] }),
  };
}

export function webhooks() {
  const summaries = new Map<string, string>([
    ...sessionEventTypes.map((type) => [type, sessionEvents[type].summary] as const),
    ...Object.entries(practiceSummaries),
  ]);
  return Object.fromEntries(
    eventTypes.map((type) => [
      type,
      webhook(type, summaries.get(type) ?? 'A test that the owner of the endpoint requested'),
    ]),
  );
}

function webhook(type: string, summary: string) {
  return {
    post: {
      operationId: type.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
      tags: ['Webhooks'],
      summary,
      description:
        'Verify the signature over the raw body, store the event and respond with any 2xx. Events can arrive twice and out of order.',
      security: [],
      parameters: headers,
      requestBody: { required: true, content: { 'application/json': { schema: referenceTo(type) } } },
      responses: {
        '2XX': { description: 'Received. No body is needed.' },
        '410': { description: 'The endpoint is gone. It is disabled and gets no more webhooks.' },
        '4XX': {
          description:
            'Rejected. Not retried, except for 408, 425 and 429, unless the `retryPolicy` of the endpoint is `all`.',
        },
        '5XX': { description: 'Retried, like a timeout after 15 seconds: ten attempts over three days.' },
      },
    },
  };
}

/** The same webhooks, for the operation that registers a URL. oapi-codegen keeps only schemas that a path refers to. */
export const webhookCallbacks = {
  event: {
    '{$request.body#/url}': {
      post: {
        operationId: 'receiveWebhook',
        tags: ['Webhooks'],
        summary: 'An event of a type that the endpoint wants',
        security: [],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/WebhookEvent' } } },
        },
        responses: { '2XX': { description: 'Received. No body is needed.' }, '4XX': { description: 'Rejected.' } },
      },
    },
  },
};
