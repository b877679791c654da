import * as z from 'zod/mini';
import { maximumTicketDelay, webhookWait, type RetryPolicy } from './retry-schedule.ts';
import { hour, isoTime, second } from '../time.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'skipped'] as const;

const attemptErrors = ['timeout', 'network_error', 'blocked_address'] as const;

const madeAttempt = z.object({
  url: z.string(),
  startedAt: isoTime,
  durationMilliseconds: z.int(),
  statusCode: z.optional(z.int()),
  error: z.optional(z.enum(attemptErrors)),
  responseExcerpt: z.optional(z.string()),
  responseTruncated: z.boolean(),
});
export type MadeAttempt = z.infer<typeof madeAttempt>;

export const attempt = z.extend(madeAttempt, { deliveryId: z.string(), attemptNumber: z.int() });
export type Attempt = z.infer<typeof attempt>;

export const delivery = z.object({
  eventId: z.string(),
  endpointId: z.string(),
  practiceId: z.string(),
  eventType: z.string(),
  status: z.enum(deliveryStatuses),
  attempts: z.int(),
  /** Attempts before the current retry schedule. A replay starts a new schedule. */
  attemptsBefore: z.int(),
  createdAt: isoTime,
  nextAttemptAt: z.optional(isoTime),
  leasedUntil: z.optional(isoTime),
  deliveredAt: z.optional(isoTime),
  /** The first attempt, if it succeeded. All other attempts have rows of their own. */
  firstAttempt: z.optional(madeAttempt),
  dueShard: z.optional(z.string()),
  dueAt: z.optional(isoTime),
});
export type Delivery = z.infer<typeof delivery>;

/** In bytes. Keeps the row within one write unit. */
const shortExcerpt = 256;

/** Whether the delivery's own row has room for its only attempt. */
export function fitsInRow(
  { attempts }: Delivery,
  { responseExcerpt = '', url }: MadeAttempt,
  { status }: NextStep,
): boolean {
  return attempts === 0 && status === 'delivered' && Buffer.byteLength(responseExcerpt + url) <= shortExcerpt;
}

/** Longer than the POST timeout, shorter than the queue's visibility timeout. */
export const leaseDuration = 60 * second;

export type AttemptResult = Pick<Attempt, 'statusCode' | 'error'> & { readonly retryAfter?: string };

export interface NextAttempt {
  readonly nextAttemptAt: number;
  /** If false, the sweep sends the ticket when the attempt is due. */
  readonly byTicket: boolean;
}

/** The delay is in milliseconds. */
export function attemptAfter(delay: number, now: number): NextAttempt {
  return { nextAttemptAt: now + delay, byTicket: delay <= maximumTicketDelay };
}

export type NextStep =
  | { readonly status: 'delivered' }
  | { readonly status: 'failed'; readonly disableEndpoint: boolean }
  | ({ readonly status: 'pending' } & NextAttempt);

export function nextStep(
  result: AttemptResult,
  attemptNumber: number,
  now: number,
  random: number,
  retryPolicy: RetryPolicy = 'standard',
): NextStep {
  const { statusCode } = result;
  if (statusCode !== undefined && statusCode >= 200 && statusCode < 300) return { status: 'delivered' };
  const wait = isRetryable(result, retryPolicy) ? webhookWait(attemptNumber, random) : undefined;
  if (wait === undefined) return { status: 'failed', disableEndpoint: statusCode === 410 };
  const requested = statusCode === 429 || statusCode === 503 ? retryAfterDelay(result.retryAfter, now) : 0;
  const delay = Math.max(wait, requested);
  return { status: 'pending', ...attemptAfter(delay, now) };
}

function isRetryable({ statusCode, error }: AttemptResult, retryPolicy: RetryPolicy): boolean {
  if (statusCode === undefined) return error !== 'blocked_address';
  if (retryPolicy === 'all' && statusCode !== 410) return true;
  return statusCode >= 500 || statusCode === 408 || statusCode === 425 || statusCode === 429;
}

/** RFC 9110, 5.6.7. `Date.parse` alone would read "retry in 2100" as a year. */
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/;

export function retryAfterDelay(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const requested = /^\d+$/.test(header)
    ? Number(header) * second
    : httpDate.test(header)
      ? Date.parse(header) - now
      : 0;
  return Number.isFinite(requested) ? Math.min(Math.max(requested, 0), 24 * hour) : 0;
}
