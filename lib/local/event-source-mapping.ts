import * as z from 'zod';
import { compilePattern, type Matcher } from './event-pattern.ts';
import type { InvocationResult } from './functions.ts';
import { isObject, parseJson } from './json.ts';
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

/** As in Lambda, an empty, missing or unknown identifier fails the whole batch. */
export function failedItems(
  mapping: EventSourceMapping,
  result: InvocationResult,
  identifiers: readonly string[],
): ReadonlySet<string> | 'all' {
  if (!result.ok) return 'all';
  if (mapping.properties.FunctionResponseTypes?.includes('ReportBatchItemFailures') !== true) return new Set();
  const { payload } = result;
  if (payload === null || payload === undefined) return new Set();
  if (!isObject(payload)) return 'all';
  const failures = payload['batchItemFailures'];
  if (failures === null || failures === undefined) return new Set();
  if (!Array.isArray(failures)) return 'all';
  const failed = new Set<string>();
  for (const failure of failures) {
    const identifier = isObject(failure) ? failure['itemIdentifier'] : undefined;
    if (typeof identifier !== 'string' || !identifiers.includes(identifier)) return 'all';
    failed.add(identifier);
  }
  return failed;
}
