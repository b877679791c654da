import { Duration, Stack, Validations } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  Function as ViewerFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginRequestPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { logRequests } from './access-log.ts';
import type { OwnDomain } from '../settings/own-domain.ts';

const permissionsPolicy = [
  'camera',
  'display-capture',
  'geolocation',
  'microphone',
  'payment',
  'publickey-credentials-get',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * CloudFront caches these for 10 s by default, and the token is not part of the cache key: everybody would get one
 * patient's error. No response page is set: it would replace the API's own 404s.
 */
const cachedErrors = [404, 405, 414, 500, 501, 502, 503, 504];

export interface PageDistributionProps {
  readonly comment: string;
  readonly bucket: IBucket;
  readonly rewrite: { readonly id: string; readonly code: string };
  readonly api: HttpApi;
  readonly originHeaders: Readonly<Record<string, string>>;
  /** For example, `/api/patient/*`. */
  readonly apiPath: string;
  readonly nameViewer: string;
  /** Public API paths, cached for as long as their response says. */
  readonly apiDocuments?: readonly string[];
  /** Files from other buckets, by path pattern. */
  readonly otherFiles?: Readonly<Record<string, IBucket>>;
  readonly domain: OwnDomain | undefined;
  readonly webAclArn: string | undefined;
  readonly contentSecurityPolicy: string;
  readonly hasBankPicker?: boolean;
  /** Why every country may connect. */
  readonly anywhere: string;
}

/** Serves a page and its part of the API at one origin, with the strict headers. */
export function distributePage(scope: Construct, props: PageDistributionProps): Distribution {
  const {
    comment,
    bucket,
    rewrite,
    api,
    originHeaders,
    apiPath,
    nameViewer,
    apiDocuments = [],
    otherFiles = {},
    domain,
  } = props;
  const { stackName, region, urlSuffix } = Stack.of(scope);
  // Unique per account: a stage can run in two regions.
  const accountWideName = `${stackName}-${scope.node.id}-${region}`;
  const shared = {
    responseHeadersPolicy: securityHeaders(scope, accountWideName, props),
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
  };
  const originAccessControl = new S3OriginAccessControl(scope, 'OriginAccessControl', {
    originAccessControlName: accountWideName,
  });
  const filesOf = (files: IBucket) => ({
    ...shared,
    origin: S3BucketOrigin.withOriginAccessControl(files, { originAccessControl }),
    cachePolicy: CachePolicy.CACHING_OPTIMIZED,
  });

  const apiOrigin = new HttpOrigin(`${api.apiId}.execute-api.${region}.${urlSuffix}`, {
    customHeaders: { ...originHeaders },
  });

  const distribution = new Distribution(scope, 'Distribution', {
    comment,
    defaultRootObject: 'index.html',
    defaultBehavior: {
      ...filesOf(bucket),
      functionAssociations: [onViewerRequest(scope, rewrite.id, rewrite.code)],
    },
    additionalBehaviors: {
      [apiPath]: {
        ...shared,
        origin: apiOrigin,
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        functionAssociations: [onViewerRequest(scope, 'NameViewer', nameViewer)],
      },
      ...Object.fromEntries(
        apiDocuments.map((path) => [
          path,
          { ...shared, origin: apiOrigin, cachePolicy: CachePolicy.CACHING_OPTIMIZED },
        ]),
      ),
      ...Object.fromEntries(Object.entries(otherFiles).map(([pattern, files]) => [pattern, filesOf(files)])),
    },
    errorResponses: cachedErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    httpVersion: HttpVersion.HTTP2_AND_3,
    priceClass: PriceClass.PRICE_CLASS_100,
    ...(props.webAclArn !== undefined && { webAclId: props.webAclArn }),
    ...(domain && {
      domainNames: [domain.name],
      certificate: Certificate.fromCertificateArn(scope, 'Certificate', domain.certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    }),
  });
  logRequests(scope, distribution);
  acknowledgeFindings(distribution, props);
  return distribution;
}

function onViewerRequest(scope: Construct, id: string, code: string) {
  const viewerFunction = new ViewerFunction(scope, id, {
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(code),
  });
  return { function: viewerFunction, eventType: FunctionEventType.VIEWER_REQUEST };
}

function securityHeaders(
  scope: Construct,
  responseHeadersPolicyName: string,
  { contentSecurityPolicy, hasBankPicker }: PageDistributionProps,
): ResponseHeadersPolicy {
  // Many banks open their sign-in in a new window: https://docs.stripe.com/financial-connections/deployment-checklist
  const [openerPolicy, referrerPolicy] = hasBankPicker
    ? ['same-origin-allow-popups', HeadersReferrerPolicy.STRICT_ORIGIN]
    : ['same-origin', HeadersReferrerPolicy.NO_REFERRER];
  return new ResponseHeadersPolicy(scope, 'SecurityHeaders', {
    responseHeadersPolicyName,
    securityHeadersBehavior: {
      contentSecurityPolicy: { contentSecurityPolicy, override: true },
      contentTypeOptions: { override: true },
      frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
      referrerPolicy: { referrerPolicy, override: true },
      strictTransportSecurity: {
        accessControlMaxAge: Duration.days(2 * 365),
        includeSubdomains: true,
        override: true,
      },
    },
    customHeadersBehavior: {
      customHeaders: [
        { header: 'X-Robots-Tag', value: 'noindex, nofollow', override: true },
        { header: 'Permissions-Policy', value: permissionsPolicy, override: true },
        { header: 'Cross-Origin-Opener-Policy', value: openerPolicy, override: true },
      ],
    },
  });
}

function acknowledgeFindings(distribution: Distribution, { domain, webAclArn, anywhere }: PageDistributionProps): void {
  const findings = {
    CFR1: anywhere,
    ...(webAclArn === undefined && {
      CFR2: 'The page is static and each route throttles. In us-east-1, production has a web ACL; a team can give its own.',
    }),
    CFR3: 'In us-east-1, standard logging v2 is on, without the path that contains the token; the rule only checks legacy logging.',
    ...(!domain && {
      CFR4: 'CloudFront sets the minimum TLS version for cloudfront.net; only a custom domain can raise it.',
    }),
  };
  for (const [rule, reason] of Object.entries(findings))
    Validations.of(distribution).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
}
