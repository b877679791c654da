import * as z from 'zod';
import { text } from './property-schema.ts';
import { SetupError } from './setup-error.ts';
import type { Resource } from './template.ts';
import type { ViewerRequest } from './viewer-function.ts';

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

export interface Forwarding {
  /** All except Host, or none beside those that are always forwarded. */
  readonly headers: boolean;
  readonly cookies: boolean;
  readonly query: boolean;
}

const nothing: Forwarding = { headers: false, cookies: false, query: false };

/** AWS's own policies. Both cache by the path alone. */
const cachePolicies: Record<string, { compress: boolean; forwards: Forwarding }> = {
  '658327ea-f89d-4fab-a63d-7e88639e58f6': { compress: true, forwards: nothing }, // CachingOptimized
  '4135ea2d-6df8-44a3-9df3-4b5a84be39ad': { compress: false, forwards: nothing }, // CachingDisabled
};
const originRequestPolicies: Record<string, Forwarding> = {
  'b689b0a8-53d0-40ab-baf2-68738e2966ac': { headers: true, cookies: true, query: true }, // AllViewerExceptHostHeader
};

/** Throws SetupError for an unknown policy. */
export function cachePolicy(id: string): { compress: boolean; forwards: Forwarding } {
  const policy = cachePolicies[id];
  if (policy === undefined) throw unknownPolicy('cache', id);
  return policy;
}

export function originRequestPolicy(id: string | undefined): Forwarding {
  if (id === undefined) return nothing;
  const policy = originRequestPolicies[id];
  if (policy === undefined) throw unknownPolicy('origin request', id);
  return policy;
}

function unknownPolicy(kind: string, id: string): SetupError {
  return new SetupError(
    `The local stack does not know the ${kind} policy ${id}. Add it to lib/local/cloudfront-policies.ts.`,
  );
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
