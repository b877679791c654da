import * as z from 'zod';
import { text } from './property-schema.ts';
import { SetupError } from './setup-error.ts';
import type { Resource } from './template.ts';
import type { ViewerRequest } from './viewer-function.ts';
import type { OriginAnswer } from './origins.ts';

const securityHeader = { Override: z.boolean() };
export const responseHeadersPolicyProperties = z.strictObject({
  ResponseHeadersPolicyConfig: z.strictObject({
    Name: z.string(),
    SecurityHeadersConfig: z
      .strictObject({
        ContentSecurityPolicy: z.strictObject({ ...securityHeader, ContentSecurityPolicy: z.string() }).optional(),
        ContentTypeOptions: z.strictObject(securityHeader).optional(),
        FrameOptions: z.strictObject({ ...securityHeader, FrameOption: z.string() }).optional(),
        ReferrerPolicy: z.strictObject({ ...securityHeader, ReferrerPolicy: z.string() }).optional(),
        StrictTransportSecurity: z
          .strictObject({
            ...securityHeader,
            AccessControlMaxAgeSec: z.int(),
            IncludeSubdomains: z.boolean().optional(),
          })
          .optional(),
      })
      .optional(),
    CustomHeadersConfig: z
      .strictObject({ Items: z.array(z.strictObject({ Header: text, Value: text, Override: z.boolean() })) })
      .optional(),
  }),
});

type ResponseHeadersPolicy = Resource<z.output<typeof responseHeadersPolicyProperties>>;

/** AWS's own cache policies, and whether they compress. Each caches by the path alone. */
const cachePolicies: Record<string, boolean> = {
  '658327ea-f89d-4fab-a63d-7e88639e58f6': true, // CachingOptimized
  '4135ea2d-6df8-44a3-9df3-4b5a84be39ad': false, // CachingDisabled
};
const allViewerExceptHostHeader = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

/** Whether the cache policy compresses. Throws SetupError for an unknown policy. */
export function compresses(cachePolicyId: string): boolean {
  const known = cachePolicies[cachePolicyId];
  if (known === undefined) throw unknownPolicy('cache', cachePolicyId);
  return known;
}

/** Whether the origin gets the viewer's headers, cookies and query. Throws SetupError for an unknown policy. */
export function forwardsAll(originRequestPolicyId: string | undefined): boolean {
  if (originRequestPolicyId === undefined) return false;
  if (originRequestPolicyId === allViewerExceptHostHeader) return true;
  throw unknownPolicy('origin request', originRequestPolicyId);
}

function unknownPolicy(kind: string, id: string): SetupError {
  return new SetupError(
    `The local stack does not know the ${kind} policy ${id}. Add it to lib/local/cloudfront-policies.ts.`,
  );
}

export function forwarded({ headers, query }: ViewerRequest, all: boolean) {
  const kept = Object.entries(headers).filter(([name]) => passes(name, all));
  const sent: Record<string, string> = { 'user-agent': 'Amazon CloudFront', ...Object.fromEntries(kept) };
  return { headers: sent, query: all ? query : '' };
}

const alwaysForwarded = new Set(['content-type', 'content-length', 'accept-encoding']);
const neverForwarded = new Set([
  'connection',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

function passes(name: string, all: boolean): boolean {
  if (neverForwarded.has(name)) return false;
  return alwaysForwarded.has(name) || (all && name !== 'host');
}

export function withPolicyHeaders(
  headers: Readonly<Record<string, string | string[]>>,
  policy: ResponseHeadersPolicy | undefined,
): Record<string, string | string[]> {
  const result = { ...headers };
  if (policy === undefined) return result;
  const { SecurityHeadersConfig: security = {}, CustomHeadersConfig } = policy.properties.ResponseHeadersPolicyConfig;
  const set = (name: string, value: string, override: boolean) => {
    if (override || result[name] === undefined) result[name] = value;
  };
  const {
    ContentSecurityPolicy: csp,
    ContentTypeOptions: options,
    FrameOptions: frame,
    ReferrerPolicy: referrer,
    StrictTransportSecurity: transport,
  } = security;
  if (csp) set('content-security-policy', csp.ContentSecurityPolicy, csp.Override);
  if (options) set('x-content-type-options', 'nosniff', options.Override);
  if (frame) set('x-frame-options', frame.FrameOption, frame.Override);
  if (referrer) set('referrer-policy', referrer.ReferrerPolicy, referrer.Override);
  if (transport) {
    const subdomains = transport.IncludeSubdomains === true ? '; includeSubDomains' : '';
    set('strict-transport-security', `max-age=${transport.AccessControlMaxAgeSec}${subdomains}`, transport.Override);
  }
  for (const { Header, Value, Override } of CustomHeadersConfig?.Items ?? [])
    set((Header ?? '').toLowerCase(), Value ?? '', Override);
  return result;
}

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
export function createErrorCache(configured: z.output<typeof errorResponses>) {
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
      return found && Date.now() < found.until ? found.answer : undefined;
    },
    keep(key: string | undefined, answer: OriginAnswer): void {
      const seconds = lifetime(answer);
      if (key !== undefined && seconds > 0) kept.set(key, { answer, until: Date.now() + seconds * 1000 });
    },
  };
}

/** Undefined for methods that are not cached. */
export function cacheKey({ method, uri }: ViewerRequest): string | undefined {
  return ['GET', 'HEAD'].includes(method) ? `${method} ${uri}` : undefined;
}
