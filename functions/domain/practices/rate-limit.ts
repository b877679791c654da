import { second } from '../time.ts';

/** Requests per second, on average over a window. */
export const defaultRateLimit = 100;
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
