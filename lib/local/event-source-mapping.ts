import * as z from 'zod';
import { compilePattern, type Matcher } from './event-pattern.ts';
import type { InvocationResult } from './functions.ts';
import { parseJson } from './json.ts';
import { flag, wholeNumber } from './property-schema.ts';
import { SetupError } from './setup-error.ts';
import type { Resource } from './template.ts';

export const eventSourceMappingProperties = z.strictObject({
  FunctionName: z.string(),
  EventSourceArn: z.string(),
  BatchSize: wholeNumber,
  FilterCriteria: z.strictObject({ Filters: z.array(z.strictObject({ Pattern: z.string() })) }).optional(),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).optional(),
  ScalingConfig: z.strictObject({ MaximumConcurrency: z.int() }).optional(),
  StartingPosition: z.literal('TRIM_HORIZON').optional(),
  MaximumRetryAttempts: wholeNumber,
  MaximumRecordAgeInSeconds: wholeNumber,
  BisectBatchOnFunctionError: flag,
  DestinationConfig: z.strictObject({ OnFailure: z.strictObject({ Destination: z.string() }) }).optional(),
});

export type EventSourceMapping = Resource<z.output<typeof eventSourceMappingProperties>>;

export interface Poller {
  stop(): Promise<void>;
}

export function recordFilter({ logicalId, properties }: EventSourceMapping): Matcher {
  const filters = properties.FilterCriteria?.Filters ?? [];
  const matchers = filters.map(({ Pattern }) => {
    const pattern = parseJson(Pattern);
    if (pattern === undefined) throw new SetupError(`${logicalId}: a filter pattern is not JSON.`);
    return compilePattern(pattern, logicalId);
  });
  return matchers.length === 0 ? () => true : (record) => matchers.some((matches) => matches(record));
}

const batchAnswer = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).nullish() })
  .nullish();

/** As in Lambda, an empty, missing or unknown identifier fails the whole batch. */
export function failedItems(
  mapping: EventSourceMapping,
  result: InvocationResult,
  identifiers: readonly string[],
): ReadonlySet<string> | 'all' {
  if (!result.ok) return 'all';
  if (mapping.properties.FunctionResponseTypes?.includes('ReportBatchItemFailures') !== true) return new Set();
  const answer = batchAnswer.safeParse(result.payload);
  const failed = answer.data?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier) ?? [];
  return answer.success && failed.every((item) => identifiers.includes(item)) ? new Set(failed) : 'all';
}
