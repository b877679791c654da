import * as z from 'zod/mini';
import { longestTicketDelay, webhookWait } from './retry-schedule.ts';
import { hour, isoTime, second } from './time.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'skipped'] as const;

export const delivery = z.object({
  eventId: z.string(),
  endpointId: z.string(),
  practiceId: z.string(),
  eventType: z.string(),
  status: z.enum(deliveryStatuses),
  /** How many attempts have ended. */
  attempts: z.int(),
  /** How many of them came before the current retry schedule. */
  attemptsBefore: z.int(),
  createdAt: isoTime,
  nextAttemptAt: z.optional(isoTime),
  leasedUntil: z.optional(isoTime),
  deliveredAt: z.optional(isoTime),
  dueShard: z.optional(z.string()),
  dueAt: z.optional(isoTime),
});
export type Delivery = z.infer<typeof delivery>;

/** Why an attempt got no answer. */
export const attemptErrors = ['timeout', 'network_error', 'blocked_address'] as const;

export const attempt = z.object({
  deliveryId: z.string(),
  attemptNumber: z.int(),
  startedAt: isoTime,
  durationMilliseconds: z.int(),
  statusCode: z.optional(z.int()),
  error: z.optional(z.enum(attemptErrors)),
  responseExcerpt: z.optional(z.string()),
  responseTruncated: z.boolean(),
});
export type Attempt = z.infer<typeof attempt>;

/** Longer than one POST may take, shorter than the queue's visibility timeout. */
export const leaseDuration = 60 * second;

export type AttemptResult = Pick<Attempt, 'statusCode' | 'error'> & { readonly retryAfter?: string };

export type NextStep =
  | { readonly status: 'delivered' }
  | { readonly status: 'failed'; readonly disableEndpoint: boolean }
  | { readonly status: 'pending'; readonly nextAttemptAt: number; readonly byTicket: boolean };

function isRetryable({ statusCode, error }: AttemptResult, retriesAllFailures: boolean): boolean {
  if (statusCode === undefined) return error !== 'blocked_address';
  if (retriesAllFailures && statusCode !== 410) return true;
  return statusCode >= 500 || statusCode === 408 || statusCode === 425 || statusCode === 429;
}

/** An HTTP date (RFC 9110, 5.6.7): `Date.parse` would also read a year into "retry in 2100". */
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/;

/** Milliseconds that a `Retry-After` header asks for (seconds or an HTTP date), at most a day; 0 where it says nothing usable. */
export function retryAfterDelay(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const text = header.trim();
  const asked = /^\d+$/.test(text) ? Number(text) * second : httpDate.test(text) ? Date.parse(text) - now : 0;
  return Number.isFinite(asked) ? Math.min(Math.max(asked, 0), 24 * hour) : 0;
}

/**
 * What follows attempt number `attemptNumber` (1, 2, …) of a schedule: done, given up, or the time of the next one.
 * `retriesAllFailures` is the endpoint's wish to have every answer but 2xx and 410 tried again.
 */
export function nextStep(
  outcome: AttemptResult,
  attemptNumber: number,
  now: number,
  random: number,
  retriesAllFailures = false,
): NextStep {
  const { statusCode } = outcome;
  if (statusCode !== undefined && statusCode >= 200 && statusCode < 300) return { status: 'delivered' };
  const wait = isRetryable(outcome, retriesAllFailures) ? webhookWait(attemptNumber, random) : undefined;
  if (wait === undefined) return { status: 'failed', disableEndpoint: statusCode === 410 };
  const asked = statusCode === 429 || statusCode === 503 ? retryAfterDelay(outcome.retryAfter, now) : 0;
  const delay = Math.max(wait, asked);
  return { status: 'pending', nextAttemptAt: now + delay, byTicket: delay <= longestTicketDelay };
}
