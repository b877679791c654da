import { Problem } from '../contract/problem.ts';
import { Fault } from '../domain/fault.ts';
import { minute, second } from '../domain/time.ts';
import { logFault, logInfo } from '../log.ts';
import type { Database } from '../store/database.ts';
import { getPractice } from '../store/practices/practices.ts';
import { reserveTokens, type TokenRequest } from '../store/practices/rate-limits.ts';

/** Requests per second, on average over a window. */
const defaultRateLimit = 100;
const rateLimitWindow = 10 * second;

const largestBlock = 20;
/** A small quota has at least this many blocks, so that one environment cannot hold much of it. */
const fewestBlocks = 50;

/** How many requests a window admits. */
export function quotaOf(rateLimit: number): number {
  return (rateLimit * rateLimitWindow) / second;
}

/** How many tokens an execution environment reserves at once. */
export function blockOf(quota: number): number {
  return Math.min(largestBlock, Math.max(1, Math.floor(quota / fewestBlocks)));
}

export function windowEnd(now: number): number {
  return (Math.floor(now / rateLimitWindow) + 1) * rateLimitWindow;
}

/** `RateLimit-Policy` and `RateLimit`, as in draft-ietf-httpapi-ratelimit-headers-11. */
export function policyHeader(quota: number): string {
  return `"practice";q=${quota};w=${rateLimitWindow / second}`;
}

export function limitHeader(remaining: number, seconds: number): string {
  return `"practice";r=${remaining};t=${seconds}`;
}

export interface RateLimitStore {
  /** Undefined if the practice has no limit of its own. */
  readonly readLimit: (practiceId: string) => Promise<number | undefined>;
  readonly reserveTokens: (request: TokenRequest) => Promise<number | undefined>;
}

export function storedRateLimits(database: Database): RateLimitStore {
  return {
    readLimit: async (practiceId) => (await getPractice(database, practiceId))?.rateLimit,
    reserveTokens: (request) => reserveTokens(database, request),
  };
}

/** Adds the rate limit headers to the response. Throws a Problem if the practice has no request left. */
export type RateLimiter = (practiceId: string, now: number, headers: Record<string, string>) => Promise<void>;

/** What one execution environment knows about a practice's quota. */
interface Share {
  quota: number;
  /** When to read the quota again: it may have changed. */
  readAgainAt: number;
  windowEnd: number;
  /** Tokens of the window that were still available when last read. */
  unreserved: number;
  /** Tokens reserved but not used yet. They stay valid after their window. */
  tokens: number;
  /** The end of the last window in which the practice was refused. */
  refusedWindowEnd: number;
  /** After a fault, requests are admitted unchecked until this time. */
  uncheckedUntil: number;
}

const reserveTimeout = second;
const pauseAfterFault = second;

/** The limiter of one execution environment. It reserves tokens in blocks, so that most requests cost no write. */
export function rateLimiter(store: RateLimitStore): RateLimiter {
  const shares = new Map<string, Share>();

  function shareOf(practiceId: string, now: number): Share {
    const share = shares.get(practiceId) ?? newShare();
    shares.set(practiceId, share);
    if (share.windowEnd < windowEnd(now)) Object.assign(share, { windowEnd: windowEnd(now), unreserved: share.quota });
    return share;
  }

  return async (practiceId, now, headers) => {
    const share = shareOf(practiceId, now);
    if (share.tokens === 0 && share.unreserved > 0 && now >= share.uncheckedUntil) {
      try {
        await within(reserveTimeout, reserveBlock(store, practiceId, share, now));
      } catch (error) {
        share.uncheckedUntil = now + pauseAfterFault;
        // A failing limiter must not refuse requests.
        logFault('rate limit not checked', error, { practiceId }, [{ metric: 'UncheckedRateLimits', value: 1 }]);
      }
    }
    headers['ratelimit-policy'] = policyHeader(share.quota);
    const isUnchecked = share.tokens === 0 && now < share.uncheckedUntil;
    if (isUnchecked) return;
    const isAdmitted = share.tokens > 0;
    if (isAdmitted) share.tokens -= 1;
    const seconds = Math.ceil((share.windowEnd - now) / second);
    headers['ratelimit'] = limitHeader(Math.min(share.quota, share.unreserved + share.tokens), seconds);
    if (isAdmitted) return;
    noteRefusal(practiceId, share);
    throw new Problem('rate_limited', 'Wait as long as `Retry-After` says, then retry.', {
      headers: { 'retry-after': String(seconds) },
    });
  };
}

function newShare(): Share {
  const quota = quotaOf(defaultRateLimit);
  return { quota, readAgainAt: 0, windowEnd: 0, unreserved: 0, tokens: 0, refusedWindowEnd: 0, uncheckedUntil: 0 };
}

async function reserveBlock(store: RateLimitStore, practiceId: string, share: Share, now: number): Promise<void> {
  if (now >= share.readAgainAt) {
    share.quota = quotaOf((await store.readLimit(practiceId)) ?? defaultRateLimit);
    share.readAgainAt = now + minute;
  }
  const { quota, windowEnd } = share;
  const block = blockOf(quota);
  const reserved = await store.reserveTokens({ practiceId, windowEnd, quota, block });
  if (share.windowEnd === windowEnd) share.unreserved = Math.max(0, quota - (reserved ?? quota));
  if (reserved !== undefined) share.tokens += Math.min(block, quota - (reserved - block));
}

/** Logs once per window. */
function noteRefusal(practiceId: string, share: Share): void {
  if (share.refusedWindowEnd === share.windowEnd) return;
  share.refusedWindowEnd = share.windowEnd;
  logInfo('rate limit reached', { practiceId }, [{ metric: 'RateLimitsReached', value: 1 }]);
}

async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Fault('the rate limit took too long')), milliseconds);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
