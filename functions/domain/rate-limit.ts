import { second } from './time.ts';

/** Requests a second, on average over a window. */
export const defaultRateLimit = 100;
const rateLimitWindow = 10 * second;

const largestBlock = 20;
/** So that one environment cannot hold much of a small quota. */
const fewestBlocks = 50;

/** Requests in a window. */
export function quotaOf(rateLimit: number): number {
  return (rateLimit * rateLimitWindow) / second;
}

/** How many tokens an environment takes at once. */
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
