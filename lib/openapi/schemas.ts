import * as z from 'zod';
import {
  cancelledSession,
  eraseInvoiceBody,
  erasedInvoice,
  erasedPatient,
  sessionStatusBody,
  sessionAuthorization,
  sessionList,
} from '../../functions/contract/sessions/session.ts';
import {
  createdWebhookEndpoint,
  rotatedSigningSecret,
  endpointUpdate,
  newEndpoint,
  secretRotation,
  deletedWebhookEndpoint,
  webhookEndpointList,
  sentTestEvent,
  webhookEndpointBody,
} from '../../functions/contract/webhooks/webhook-endpoints.ts';
import {
  deliveryPage,
  listedDelivery,
  replayRequest,
  resentEvent,
  startedReplay,
} from '../../functions/contract/webhooks/endpoint-deliveries.ts';
import { listedPayout, openedPayout, payoutLine, payoutList } from '../../functions/contract/payments/payouts.ts';
import { checksOf, paramsOf } from '../../functions/contract/expectation.ts';
import {
  createdPractice,
  listedPractice,
  newPlatformPractice,
  onboardingLink,
  openedPractice,
  practiceList,
} from '../../functions/contract/practices/platform-practices.ts';
import { callingPractice } from '../../functions/contract/practices/get-practice.ts';
import { createdSession, createSessionBody } from '../../functions/contract/sessions/create-session.ts';
import { eventList, listedEvent } from '../../functions/contract/webhooks/list-events.ts';
import { simulateSessionBody } from '../../functions/contract/sessions/sandbox-session.ts';
import {
  practiceJoinedWebhook,
  practiceLeftWebhook,
  sessionWebhook,
  testWebhook,
} from '../../functions/contract/webhooks/webhooks.ts';
import { sessionStatuses } from '../../functions/domain/sessions/transitions.ts';
import { fieldDescriptions } from './descriptions.ts';

const ulid = '[0-7][0-9A-HJKMNP-TV-Z]{25}';

/** Patterns that any regex engine understands. */
export const patterns: Readonly<Record<string, string>> = {
  sessionId: `^ses_${ulid}$`,
  endpointId: '^whe_[0-9A-Za-z]{20}$',
  practiceId: '^prc_[0-9A-Za-z]{20}$',
  eventId: `^evt_${ulid}(_[0-9]+)?$`,
  id: `^evt_${ulid}(_[0-9]+)?$`,
  keyId: '^[0-9A-Za-z]{12}$',
  payoutId: '^[0-9A-Za-z_]+$',
  nextPayoutId: '^[0-9A-Za-z_]+$',
  bookingId: '^[0-9A-Za-z_]+$',
  cursor: '^cur_[0-9A-Za-z_-]+$',
  nextCursor: '^cur_[0-9A-Za-z_-]+$',
  url: '^https?://[^\\x00-\\x20\\x7f]+$',
  signingSecret: '^whsec_[0-9A-Za-z+/]+=*$',
};

export const givenTimePattern =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$';

export type Schema = z.core.JSONSchema.JSONSchema;

/** Says which values there are today. Known to editors; generators take any text. */
export const growingValues = 'x-extensible-enum';
type Schemas = Record<string, Schema>;

const requests = z
  .registry<{ id: string }>()
  .add(createSessionBody, { id: 'CreateSessionRequest' })
  .add(newPlatformPractice, { id: 'CreatePracticeRequest' })
  .add(simulateSessionBody, { id: 'SimulateSessionRequest' })
  .add(eraseInvoiceBody, { id: 'EraseInvoiceRequest' })
  .add(newEndpoint, { id: 'CreateWebhookEndpointRequest' })
  .add(endpointUpdate, { id: 'ChangeWebhookEndpointRequest' })
  .add(secretRotation, { id: 'RotateSigningSecretRequest' })
  .add(replayRequest, { id: 'ReplayWebhooksRequest' });

const responses = z
  .registry<{ id: string }>()
  .add(callingPractice, { id: 'Practice' })
  .add(listedPractice, { id: 'ListedPractice' })
  .add(practiceList, { id: 'PracticeList' })
  .add(openedPractice, { id: 'OpenedPractice' })
  .add(createdPractice, { id: 'CreatedPractice' })
  .add(onboardingLink, { id: 'OnboardingLink' })
  .add(createdSession, { id: 'CreatedSession' })
  .add(sessionStatusBody, { id: 'Session' })
  .add(sessionList, { id: 'SessionList' })
  .add(cancelledSession, { id: 'CancelledSession' })
  .add(erasedPatient, { id: 'ErasedPatient' })
  .add(erasedInvoice, { id: 'ErasedInvoice' })
  .add(sessionAuthorization, { id: 'SessionAuthorization' })
  .add(listedEvent, { id: 'Event' })
  .add(eventList, { id: 'EventList' })
  .add(listedPayout, { id: 'Payout' })
  .add(payoutList, { id: 'PayoutList' })
  .add(openedPayout, { id: 'OpenedPayout' })
  .add(payoutLine, { id: 'PayoutLine' })
  .add(webhookEndpointBody, { id: 'WebhookEndpoint' })
  .add(webhookEndpointList, { id: 'WebhookEndpointList' })
  .add(createdWebhookEndpoint, { id: 'CreatedWebhookEndpoint' })
  .add(deletedWebhookEndpoint, { id: 'DeletedWebhookEndpoint' })
  .add(rotatedSigningSecret, { id: 'RotatedSigningSecret' })
  .add(sentTestEvent, { id: 'SentTestEvent' })
  .add(listedDelivery, { id: 'WebhookDelivery' })
  .add(deliveryPage, { id: 'WebhookDeliveryList' })
  .add(resentEvent, { id: 'ResentEvent' })
  .add(startedReplay, { id: 'StartedReplay' })
  .add(sessionWebhook, { id: 'SessionWebhook' })
  .add(practiceJoinedWebhook, { id: 'PracticeJoinedWebhook' })
  .add(practiceLeftWebhook, { id: 'PracticeLeftWebhook' })
  .add(testWebhook, { id: 'TestWebhook' });

const uri = (id: string) => `#/components/schemas/${id}`;

export function referenceTo(schema: z.core.$ZodType) {
  const id = requests.get(schema)?.id ?? responses.get(schema)?.id;
  if (id === undefined)
    throw new Error('A body has no name in the OpenAPI document. Give it one in lib/openapi/schemas.ts.');
  return { $ref: uri(id) };
}

/** Requests reject unknown fields. Responses stay open for new fields. */
export function bodySchemas(): Schemas {
  return {
    ...named(z.toJSONSchema(requests, { io: 'input', uri, override }).schemas, 'closed'),
    ...named(z.toJSONSchema(responses, { io: 'output', uri, override }).schemas, 'open'),
  };
}

export function parameterSchemas(part: z.core.$ZodType): Schemas {
  const { properties = {} } = z.toJSONSchema(part, { io: 'output', override });
  return mapped(properties, (schema, name) => formatted(readable(schema, name, 'closed'), name));
}

function named(schemas: Schemas, kind: 'closed' | 'open'): Schemas {
  return mapped(schemas, (schema, name) => ({ ...readable(schema, name, kind), ...limitsInCode[name] }));
}

function mapped(schemas: Record<string, boolean | Schema>, change: (schema: Schema, name: string) => Schema): Schemas {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, typeof schema === 'boolean' ? {} : change(schema, name)]),
  );
}

/** Adds a custom check's description and its pattern. */
function override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: z.core.JSONSchema.BaseSchema }) {
  const formats = checksOf(zodSchema).map(({ params }) => paramsOf(params));
  const words = formats.map(({ expected }) => expected).filter((expected) => typeof expected === 'string');
  const pattern = formats.map((format) => format['pattern']).find((each) => typeof each === 'string');
  const maximum = formats.map((format) => format['maximum']).find((each) => typeof each === 'number');
  if (words.length > 0) jsonSchema.description = sentence(words.join(', '));
  if (pattern !== undefined) jsonSchema.pattern = pattern;
  if (maximum !== undefined) jsonSchema.maxProperties = maximum;
  // Not zod's own pattern, which even checks for leap years.
  if (jsonSchema.format === 'date-time') jsonSchema.pattern = givenTimePattern;
  // Zod's own pattern is not for any regex engine.
  if (jsonSchema.format === 'email') delete jsonSchema.pattern;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Not the five states of a session, which never change. */
function mayGrow(values: readonly unknown[]): boolean {
  return !values.every((value) => sessionStatuses.some((status) => status === value));
}

/** A generated client refuses a value that is not in its `enum`, and decodes no `date-time` that has a pattern in Go. */
function open({ enum: values, pattern, ...schema }: Schema): Schema {
  return {
    ...schema,
    ...(values && (mayGrow(values) ? { [growingValues]: values } : { enum: values })),
    ...(pattern !== undefined && schema.format !== 'date-time' && { pattern }),
  };
}

/** Leaves out the bounds of JavaScript integers, as a person would. */
function readable(schema: Schema, name: string, kind: 'closed' | 'open'): Schema {
  const { $schema: _, $id: __, minimum, maximum, additionalProperties, properties, items, anyOf, ...rest } = schema;
  return {
    ...(kind === 'open' ? open(rest) : rest),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(properties && {
      properties: mapped(properties, (field, key) => described(readable(field, key, kind), name, key)),
    }),
    ...(typeof items === 'object' && !Array.isArray(items) && { items: readable(items, name, kind) }),
    ...(anyOf && { anyOf: anyOf.map((each) => (typeof each === 'object' ? readable(each, name, kind) : each)) }),
    ...(additionalProperties !== undefined &&
      (kind === 'closed' || additionalProperties !== false) && { additionalProperties }),
  };
}

function described({ description: format, ...schema }: Schema, holder: string, field: string): Schema {
  const description = fieldDescriptions[`${holder}.${field}`] ?? fieldDescriptions[field];
  const words = [description, format].filter((each) => each !== undefined).join(' ');
  const content = contents[`${holder}.${field}`];
  return { ...(words !== '' && { description: words }), ...formatted(schema, field), ...content };
}

const contents: Readonly<Record<string, Schema>> = {
  'Event.body': { contentMediaType: 'application/json', contentSchema: { $ref: uri('WebhookEvent') } },
};

/** Formats of IDs, cursors and secrets, by field name. */
function formatted(schema: Schema, field: string): Schema {
  const pattern = patterns[field];
  const isText = [schema.type].flat().includes('string');
  return { ...schema, ...(pattern !== undefined && isText && { pattern }) };
}

/** Bounds that use cases check. */
const limitsInCode: Schemas = { ChangeWebhookEndpointRequest: { minProperties: 1 } };
