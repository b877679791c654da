import * as z from 'zod';
import { flag, inert, tags, text, wholeNumber } from './property-schema.ts';
import type { Resource } from './template.ts';

export const queueProperties = z.strictObject({
  QueueName: text,
  FifoQueue: flag,
  ContentBasedDeduplication: flag,
  VisibilityTimeout: wholeNumber,
  DelaySeconds: wholeNumber,
  MaximumMessageSize: wholeNumber,
  MessageRetentionPeriod: wholeNumber,
  ReceiveMessageWaitTimeSeconds: wholeNumber,
  RedrivePolicy: z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: z.int() }).optional(),
  RedriveAllowPolicy: inert('a permission'),
  SqsManagedSseEnabled: inert('a laptop encrypts its own disk'),
  KmsMasterKeyId: inert('a laptop encrypts its own disk'),
  KmsDataKeyReusePeriodSeconds: inert('a laptop encrypts its own disk'),
  Tags: tags,
});

export type QueueResource = Resource<z.output<typeof queueProperties>>;

/** Returns the properties as SQS attributes. */
export function attributesOf(properties: QueueResource['properties']): Record<string, string> {
  const { RedrivePolicy } = properties;
  const values = {
    FifoQueue: properties.FifoQueue === true ? true : undefined,
    ContentBasedDeduplication: properties.ContentBasedDeduplication,
    VisibilityTimeout: properties.VisibilityTimeout ?? 30,
    DelaySeconds: properties.DelaySeconds ?? 0,
    MaximumMessageSize: properties.MaximumMessageSize ?? 1_048_576,
    MessageRetentionPeriod: properties.MessageRetentionPeriod ?? 345_600,
    ReceiveMessageWaitTimeSeconds: properties.ReceiveMessageWaitTimeSeconds ?? 0,
    RedrivePolicy: RedrivePolicy && JSON.stringify(RedrivePolicy),
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
