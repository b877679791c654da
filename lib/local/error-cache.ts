import * as z from 'zod';
import { forwarded, type Forwarding } from './cloudfront-policies.ts';
import type { OriginAnswer } from './origins.ts';
import type { ViewerRequest } from './viewer-function.ts';

/** No response page: it would replace the API's own errors. */
export const errorResponses = z.array(z.strictObject({ ErrorCode: z.int(), ErrorCachingMinTTL: z.int().optional() }));

const defaultSeconds = 10;

// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
/** Cached whatever the cache policy's TTLs are. */
const cached = new Set([404, 405, 414, 500, 501, 502, 503, 504]);
/** Cached only with a maximum age. */
const cachedOnRequest = new Set([400, 403, 412, 415]);
/** `no-store` is honored only for these. */
const storedUnlessForbidden = new Set([404, 410, 414, 501]);

interface Kept {
  readonly answer: OriginAnswer;
  readonly until: number;
}

/** CloudFront's cache of error answers, which ignores most of what the origin says about caching. */
export function createErrorCache(configured: z.output<typeof errorResponses>, now: () => number = Date.now) {
  const minimum = new Map(configured.map(({ ErrorCode, ErrorCachingMinTTL }) => [ErrorCode, ErrorCachingMinTTL]));
  const kept = new Map<string, Kept>();

  /** In seconds. */
  function lifetime({ status, headers }: OriginAnswer): number {
    const cacheControl = String(headers['cache-control'] ?? '');
    const [, asked] = /\b(?:s-maxage|max-age)=(\d+)/.exec(cacheControl) ?? [];
    if (!cached.has(status) && !(cachedOnRequest.has(status) && asked !== undefined)) return 0;
    if (storedUnlessForbidden.has(status) && /\b(no-store|no-cache|private)\b/.test(cacheControl)) return 0;
    return Math.max(minimum.get(status) ?? defaultSeconds, Number(asked ?? 0));
  }

  return {
    find(key: string | undefined): OriginAnswer | undefined {
      const found = key === undefined ? undefined : kept.get(key);
      return found && now() < found.until ? found.answer : undefined;
    },
    keep(key: string | undefined, answer: OriginAnswer): void {
      const seconds = lifetime(answer);
      if (key !== undefined && seconds > 0) kept.set(key, { answer, until: now() + seconds * 1000 });
    },
  };
}

/** The cache key according to the policy. Undefined for methods that are not cached. */
export function cacheKey(request: ViewerRequest, policy: Forwarding): string | undefined {
  if (!['GET', 'HEAD'].includes(request.method)) return undefined;
  const { headers, query } = forwarded(request, [policy]);
  const { 'content-type': _, 'content-length': __, 'accept-encoding': ___, ...named } = headers;
  return JSON.stringify([
    request.method,
    request.uri,
    query,
    Object.entries(named).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}
