import * as z from 'zod/mini';
import { inert, wholeNumber } from './property-schema.ts';
import type { Resource } from './template.ts';

export const queueProperties = z.strictObject({
  VisibilityTimeout: wholeNumber,
  MessageRetentionPeriod: wholeNumber,
  RedrivePolicy: z.optional(z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: z.int() })),
  SqsManagedSseEnabled: inert('a laptop encrypts its own disk'),
});

export type QueueResource = Resource<z.output<typeof queueProperties>>;

/** Returns the properties as SQS attributes. */
export function attributesOf(properties: QueueResource['properties']): Record<string, string> {
  const { RedrivePolicy } = properties;
  const values = {
    VisibilityTimeout: properties.VisibilityTimeout ?? 30,
    MessageRetentionPeriod: properties.MessageRetentionPeriod ?? 345_600,
    MaximumMessageSize: 1_048_576,
    RedrivePolicy: RedrivePolicy && JSON.stringify(RedrivePolicy),
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
