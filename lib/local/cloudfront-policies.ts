import * as z from 'zod';
import { inert, text } from './property-schema.ts';
import { SetupError } from './setup-error.ts';
import type { Resource } from './template.ts';
import type { ViewerRequest } from './viewer-function.ts';

const headers = z.strictObject({
  HeaderBehavior: z.enum(['none', 'whitelist', 'allViewer', 'allExcept']),
  Headers: z.array(z.string()).optional(),
});
const cookies = z.strictObject({ CookieBehavior: z.enum(['none', 'all']) });
const queryStrings = z.strictObject({ QueryStringBehavior: z.enum(['none', 'all']) });

export const cachePolicyProperties = z.strictObject({
  CachePolicyConfig: z.strictObject({
    Name: z.string(),
    Comment: inert('for readers'),
    DefaultTTL: inert('only errors are cached'),
    MaxTTL: inert('only errors are cached'),
    MinTTL: inert('only errors are cached'),
    ParametersInCacheKeyAndForwardedToOrigin: z.strictObject({
      EnableAcceptEncodingGzip: z.boolean(),
      EnableAcceptEncodingBrotli: z.boolean().optional(),
      HeadersConfig: headers,
      CookiesConfig: cookies,
      QueryStringsConfig: queryStrings,
    }),
  }),
});

export const originRequestPolicyProperties = z.strictObject({
  OriginRequestPolicyConfig: z.strictObject({
    Name: z.string(),
    Comment: inert('for readers'),
    HeadersConfig: headers,
    CookiesConfig: cookies,
    QueryStringsConfig: queryStrings,
  }),
});

const securityHeader = { Override: z.boolean() };
export const responseHeadersPolicyProperties = z.strictObject({
  ResponseHeadersPolicyConfig: z.strictObject({
    Name: z.string(),
    Comment: inert('for readers'),
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
            Preload: z.boolean().optional(),
          })
          .optional(),
      })
      .optional(),
    CustomHeadersConfig: z
      .strictObject({ Items: z.array(z.strictObject({ Header: text, Value: text, Override: z.boolean() })) })
      .optional(),
    RemoveHeadersConfig: z.strictObject({ Items: z.array(z.strictObject({ Header: z.string() })) }).optional(),
  }),
});

type HeadersConfig = z.output<typeof headers>;
type CachePolicy = Resource<z.output<typeof cachePolicyProperties>>;
type OriginRequestPolicy = Resource<z.output<typeof originRequestPolicyProperties>>;
type ResponseHeadersPolicy = Resource<z.output<typeof responseHeadersPolicyProperties>>;

export interface Forwarding {
  readonly headers: HeadersConfig;
  readonly cookies: boolean;
  readonly query: boolean;
}

const nothing: Forwarding = { headers: { HeaderBehavior: 'none' }, cookies: false, query: false };

const managedCachePolicies: Record<string, { compress: boolean; forwards: Forwarding }> = {
  '658327ea-f89d-4fab-a63d-7e88639e58f6': { compress: true, forwards: nothing }, // CachingOptimized
  '4135ea2d-6df8-44a3-9df3-4b5a84be39ad': { compress: false, forwards: nothing }, // CachingDisabled
};
const managedOriginRequestPolicies: Record<string, Forwarding> = {
  '216adef6-5c7f-47e4-b989-5492eafa07d3': { headers: { HeaderBehavior: 'allViewer' }, cookies: true, query: true }, // AllViewer
  'b689b0a8-53d0-40ab-baf2-68738e2966ac': {
    headers: { HeaderBehavior: 'allExcept', Headers: ['host'] },
    cookies: true,
    query: true,
  }, // AllViewerExceptHostHeader
};

/** Throws SetupError for an unknown policy. */
export function cachePolicy(id: string, own: readonly CachePolicy[]): { compress: boolean; forwards: Forwarding } {
  const managed = managedCachePolicies[id];
  if (managed !== undefined) return managed;
  const config = own.find(({ name }) => name === id)?.properties.CachePolicyConfig
    .ParametersInCacheKeyAndForwardedToOrigin;
  if (config === undefined)
    throw new SetupError(
      `The local stack does not know the cache policy ${id}. Add it to lib/local/cloudfront-policies.ts.`,
    );
  return { compress: config.EnableAcceptEncodingGzip, forwards: forwardingOf(config) };
}

export function originRequestPolicy(id: string | undefined, own: readonly OriginRequestPolicy[]): Forwarding {
  if (id === undefined) return nothing;
  const managed = managedOriginRequestPolicies[id];
  if (managed !== undefined) return managed;
  const config = own.find(({ name }) => name === id)?.properties.OriginRequestPolicyConfig;
  if (config === undefined)
    throw new SetupError(
      `The local stack does not know the origin request policy ${id}. Add it to lib/local/cloudfront-policies.ts.`,
    );
  return forwardingOf(config);
}

interface ForwardingConfig {
  readonly HeadersConfig: HeadersConfig;
  readonly CookiesConfig: z.output<typeof cookies>;
  readonly QueryStringsConfig: z.output<typeof queryStrings>;
}

function forwardingOf({ HeadersConfig, CookiesConfig, QueryStringsConfig }: ForwardingConfig): Forwarding {
  return {
    headers: HeadersConfig,
    cookies: CookiesConfig.CookieBehavior === 'all',
    query: QueryStringsConfig.QueryStringBehavior === 'all',
  };
}

export function forwarded(
  request: ViewerRequest,
  policies: readonly Forwarding[],
): { headers: Record<string, string>; query: string } {
  const kept = Object.entries(request.headers).filter(([name]) =>
    name === 'cookie'
      ? policies.some(({ cookies }) => cookies)
      : policies.some((policy) => passes(name, policy.headers)),
  );
  return {
    headers: { 'user-agent': 'Amazon CloudFront', ...Object.fromEntries(kept) },
    query: policies.some(({ query }) => query) ? request.query : '',
  };
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

function passes(name: string, { HeaderBehavior, Headers = [] }: HeadersConfig): boolean {
  if (neverForwarded.has(name)) return false;
  if (alwaysForwarded.has(name)) return true;
  const listed = Headers.some((header) => header.toLowerCase() === name);
  switch (HeaderBehavior) {
    case 'none':
      return false;
    case 'whitelist':
      return listed;
    case 'allViewer':
      return true;
    case 'allExcept':
      return !listed;
    default: {
      const never: never = HeaderBehavior;
      return never;
    }
  }
}

export function withPolicyHeaders(
  headers: Readonly<Record<string, string | string[]>>,
  policy: ResponseHeadersPolicy | undefined,
): Record<string, string | string[]> {
  const result = { ...headers };
  if (policy === undefined) return result;
  const {
    SecurityHeadersConfig: security = {},
    CustomHeadersConfig,
    RemoveHeadersConfig,
  } = policy.properties.ResponseHeadersPolicyConfig;
  for (const { Header } of RemoveHeadersConfig?.Items ?? []) delete result[Header.toLowerCase()];

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
    const parts = [
      `max-age=${transport.AccessControlMaxAgeSec}`,
      transport.IncludeSubdomains && 'includeSubDomains',
      transport.Preload && 'preload',
    ];
    set('strict-transport-security', parts.filter((part) => typeof part === 'string').join('; '), transport.Override);
  }
  for (const { Header, Value, Override } of CustomHeadersConfig?.Items ?? [])
    set((Header ?? '').toLowerCase(), Value ?? '', Override);
  return result;
}
