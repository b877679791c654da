import * as z from 'zod/mini';
import { maximumTicketDelay, webhookWait, webhookWaits, type RetryPolicy } from './retry-schedule.ts';
import { hour, isoTime, second } from '../time.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'skipped'] as const;

/** Why an attempt has no answer, or no readable one. */
export const attemptErrors = [
  'timeout',
  'network_error',
  'blocked_address',
  'host_not_found',
  'dns_failure',
  'connection_timeout',
  'connection_refused',
  'connection_reset',
  'certificate_expired',
  'certificate_not_yet_valid',
  'certificate_wrong_name',
  'certificate_chain_incomplete',
  'certificate_self_signed',
  'certificate_invalid',
  'tls_handshake_failed',
  'client_certificate_required',
  'unreadable_response',
  'response_header_too_large',
] as const;
export type AttemptError = (typeof attemptErrors)[number];

/** Decides the next step, and is shown to the owner. */
const outcome = {
  statusCode: z.optional(z.int()),
  error: z.optional(z.enum(attemptErrors)),
  /** Where a redirect leads, as far as we keep it. */
  redirectsTo: z.optional(z.string()),
};
export const attemptOutcome = z.object(outcome);
export type AttemptOutcome = z.infer<typeof attemptOutcome>;

const madeAttempt = z.object({
  url: z.string(),
  startedAt: isoTime,
  durationMilliseconds: z.int(),
  ...outcome,
  responseExcerpt: z.optional(z.string()),
  responseTruncated: z.boolean(),
});
export type MadeAttempt = z.infer<typeof madeAttempt>;

export const attempt = z.extend(madeAttempt, { deliveryId: z.string(), attemptNumber: z.int() });
export type Attempt = z.infer<typeof attempt>;

export const delivery = z.object({
  eventId: z.string(),
  endpointId: z.string(),
  /** The endpoint's owner, which can be a platform. */
  practiceId: z.string(),
  /** The practice that the event is about, if a platform owns the endpoint. */
  eventPracticeId: z.optional(z.string()),
  /** The practice that joined or left, if that is the event. */
  movedPracticeId: z.optional(z.string()),
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

/** What a list shows to the endpoint's owner. */
export const shownDelivery = z.pick(delivery, {
  eventId: true,
  endpointId: true,
  eventType: true,
  status: true,
  attempts: true,
  createdAt: true,
  nextAttemptAt: true,
  deliveredAt: true,
});

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

/** The limit for one attempt, from the DNS lookup to the end of the response. */
export const attemptTimeout = 15 * second;

/** Longer than an attempt, shorter than the queue's visibility timeout. */
export const leaseDuration = 60 * second;

export type AttemptResult = AttemptOutcome & { readonly retryAfter?: string };

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
  | { readonly status: 'failed'; readonly gone: boolean }
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
  const wait = attemptNumber < attemptsAfter(result, retryPolicy) ? webhookWait(attemptNumber, random) : undefined;
  if (wait === undefined) return { status: 'failed', gone: statusCode === 410 };
  const requested = statusCode === 429 || statusCode === 503 ? retryAfterDelay(result.retryAfter, now) : 0;
  const delay = Math.max(wait, requested);
  return { status: 'pending', ...attemptAfter(delay, now) };
}

/** Whether the receiver answered with something that cannot be read at all, not even a status. */
export function isUnreadable({ statusCode, error }: AttemptOutcome): boolean {
  return statusCode === undefined && (error === 'unreadable_response' || error === 'response_header_too_large');
}

/** The receiver probably has the webhook, and will answer the same again. */
const attemptsIfUnreadable = 3;

/** How many attempts a delivery gets in all if each ends like this one. */
export function attemptsAfter(outcome: AttemptOutcome, retryPolicy: RetryPolicy = 'standard'): number {
  if (isUnreadable(outcome)) return attemptsIfUnreadable;
  return isRetryable(outcome, retryPolicy) ? webhookWaits.length + 1 : 1;
}

function isRetryable({ statusCode, error }: AttemptOutcome, retryPolicy: RetryPolicy): boolean {
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
