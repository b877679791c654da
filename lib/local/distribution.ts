import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import {
  cacheKey,
  compresses,
  createErrorCache,
  errorResponses,
  forwarded,
  forwardsAll,
  withPolicyHeaders,
  type responseHeadersPolicyProperties,
} from './cloudfront-policies.ts';
import { bucketOrigin, compressed, httpOrigin, type Origin, type OriginAnswer } from './origins.ts';
import { inert, text } from './property-schema.ts';
import { SetupError } from './setup-error.ts';
import type { Resource } from './template.ts';
import { viewerFunction, viewerRequestOf, type viewerFunctionProperties } from './viewer-function.ts';

const methods = z.array(z.enum(['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE']));
const behavior = {
  TargetOriginId: z.string(),
  AllowedMethods: methods.optional(),
  CachePolicyId: z.string(),
  OriginRequestPolicyId: text,
  ResponseHeadersPolicyId: text,
  Compress: z.boolean().optional(),
  FunctionAssociations: z
    .array(z.strictObject({ EventType: z.literal('viewer-request'), FunctionARN: z.string() }))
    .optional(),
  ViewerProtocolPolicy: inert('loopback speaks plain HTTP'),
};

export const distributionProperties = z.strictObject({
  DistributionConfig: z.strictObject({
    Enabled: z.literal(true),
    DefaultRootObject: text,
    DefaultCacheBehavior: z.strictObject(behavior),
    CacheBehaviors: z.array(z.strictObject({ ...behavior, PathPattern: z.string() })).optional(),
    Origins: z.array(
      z.strictObject({
        Id: z.string(),
        DomainName: z.string(),
        S3OriginConfig: z.unknown().optional(),
        CustomOriginConfig: inert('loopback speaks plain HTTP'),
        OriginCustomHeaders: z.array(z.strictObject({ HeaderName: z.string(), HeaderValue: z.string() })).default([]),
        OriginAccessControlId: inert('nothing here checks permissions'),
      }),
    ),
    CustomErrorResponses: errorResponses.optional(),
    Comment: inert('for readers'),
    HttpVersion: inert('loopback speaks HTTP/1.1'),
    IPV6Enabled: inert('loopback only'),
    PriceClass: inert('a price'),
    WebACLId: inert('only this machine reaches loopback'),
  }),
});

type Distribution = Resource<z.output<typeof distributionProperties>>;

interface Options {
  readonly distribution: Distribution;
  readonly host: string;
  readonly functions: readonly Resource<z.output<typeof viewerFunctionProperties>>[];
  readonly headersPolicies: readonly Resource<z.output<typeof responseHeadersPolicyProperties>>[];
}

/** Throws SetupError if the distribution refers to something unknown. */
export function planDistribution({ distribution, host, functions, headersPolicies }: Options) {
  const {
    DefaultCacheBehavior,
    CacheBehaviors = [],
    DefaultRootObject = '',
    Origins,
    CustomErrorResponses = [],
  } = distribution.properties.DistributionConfig;

  function plan(properties: typeof DefaultCacheBehavior, pattern: string) {
    const origin = Origins.find(({ Id }) => Id === properties.TargetOriginId);
    if (origin === undefined)
      throw new SetupError(
        `${distribution.logicalId}: the origin ${properties.TargetOriginId} is not among its origins.`,
      );
    const code = functions.find(({ name }) =>
      properties.FunctionAssociations?.[0]?.FunctionARN.endsWith(`function/${name}`),
    );
    return {
      matches: pathMatcher(pattern),
      origin,
      /** Replaces the viewer's headers. */
      originHeaders: Object.fromEntries(
        origin.OriginCustomHeaders.map(({ HeaderName, HeaderValue }) => [HeaderName.toLowerCase(), HeaderValue]),
      ),
      allowed: new Set<string>(properties.AllowedMethods ?? ['GET', 'HEAD']),
      forwardsAll: forwardsAll(properties.OriginRequestPolicyId),
      compress: compresses(properties.CachePolicyId) && properties.Compress === true,
      run: code && viewerFunction(code),
      headersPolicy: headersPolicies.find(({ name }) => name === properties.ResponseHeadersPolicyId),
    };
  }

  const behaviors = CacheBehaviors.map((properties) => plan(properties, properties.PathPattern));
  return {
    host,
    rootObject: DefaultRootObject,
    errors: CustomErrorResponses,
    behaviors,
    fallback: plan(DefaultCacheBehavior, '*'),
  };
}

type Plan = ReturnType<typeof planDistribution>;

export function createDistribution({ host, rootObject, errors, behaviors, fallback }: Plan, s3Host: string) {
  const errorCache = createErrorCache(errors);
  const origins = new Map<string, Origin>();
  for (const { origin } of [...behaviors, fallback]) {
    const bucket = origin.S3OriginConfig === undefined ? undefined : origin.DomainName.split('.s3.')[0];
    origins.set(origin.Id, bucket === undefined ? httpOrigin(origin.DomainName) : bucketOrigin(s3Host, bucket));
  }

  async function answer(
    request: IncomingMessage,
  ): Promise<{ answer: OriginAnswer; headersPolicy: Plan['fallback']['headersPolicy'] }> {
    let viewer = viewerRequestOf(request);
    const behavior = behaviors.find(({ matches }) => matches(viewer.uri)) ?? fallback;
    const { headersPolicy } = behavior;
    const refused = (status: number, body: string) => ({
      answer: { status, headers: { 'content-type': 'text/html' }, body: Buffer.from(body) },
      headersPolicy,
    });
    if (!behavior.allowed.has(viewer.method)) {
      return refused(
        403,
        '<h1>403 ERROR</h1><p>This distribution is not configured to allow the HTTP request method that was used for this request.</p>',
      );
    }
    const viewerIp = (request.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, '');
    if (behavior.run !== undefined) {
      const result = await behavior.run(viewer, viewerIp, host).catch(() => undefined);
      if (result === undefined)
        return refused(
          503,
          '<h1>503 ERROR</h1><p>The CloudFront function associated with the CloudFront distribution is invalid.</p>',
        );
      if ('status' in result) return { answer: result, headersPolicy };
      viewer = result;
    }
    if (viewer.uri === '/') viewer = { ...viewer, uri: `/${rootObject}` };

    const key = cacheKey(viewer);
    const error = errorCache.find(key);
    if (error !== undefined) return { answer: error, headersPolicy };

    const { headers, query } = forwarded(viewer, behavior.forwardsAll);
    const origin = origins.get(behavior.origin.Id);
    if (origin === undefined) return refused(502, '<h1>502 ERROR</h1>');
    const target = query === '' ? viewer.uri : `${viewer.uri}?${query}`;
    const xForwardedFor = [headers['x-forwarded-for'], viewerIp].filter((part) => part !== undefined).join(', ');
    const received = await origin({
      method: viewer.method,
      target,
      headers: { ...headers, ...behavior.originHeaders, 'x-forwarded-for': xForwardedFor },
      viewerHeaders: viewer.headers,
      body: request,
    });
    errorCache.keep(key, received);
    return {
      answer: behavior.compress ? await compressed(received, viewer.headers['accept-encoding']) : received,
      headersPolicy,
    };
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { answer: received, headersPolicy } = await answer(request);
    const { 'content-length': length, ...headers } = withPolicyHeaders(received.headers, headersPolicy);
    const isHead = request.method === 'HEAD';
    response.writeHead(received.status, {
      ...headers,
      ...(received.status !== 304 && { 'content-length': Number((isHead && length) || received.body.length) }),
      via: '1.1 local (CloudFront)',
      'x-cache': received.status < 400 ? 'Miss from cloudfront' : 'Error from cloudfront',
      'x-amz-cf-id': randomUUID(),
    });
    response.end(isHead ? undefined : received.body);
    request.resume();
  };
}

function pathMatcher(pattern: string): (uri: string) => boolean {
  const expression = pattern
    .replace(/^\//, '')
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const matcher = new RegExp(`^/?${expression}$`, 's');
  return (uri) => matcher.test(uri);
}
