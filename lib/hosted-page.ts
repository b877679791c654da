import { join } from 'node:path';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
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
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { logRequests } from './distribution-log.ts';

/** A patient's link leads to the page, whatever its token; the token is in no cache key and never reaches S3. */
const rewriteLink = `function handler(event) {
  var request = event.request;
  if (request.uri.startsWith('/s/')) request.uri = '/index.html';
  return request;
}
`;

/** Tells the patient API who asks, as the API itself only sees CloudFront. What a client sent under that name is overwritten. */
const nameViewer = `function handler(event) {
  var request = event.request;
  request.headers['x-viewer-address'] = { value: event.viewer.ip };
  return request;
}
`;

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const permissionsPolicy = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'publickey-credentials-get', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ');

interface HostedPageProps {
  /** The directory of the built page. */
  readonly page: string;
  readonly api: HttpApi;
}

/** The page that patients' links lead to, and the patient API under the same host. */
export class HostedPage extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, { page, api }: HostedPageProps) {
    super(scope, id);
    const { region, urlSuffix } = Stack.of(this);
    const bucket = this.privateBucket();
    const responseHeadersPolicy = this.securityHeaders();

    // No custom error responses: they would turn the API's 404 into the page.
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Hosted payment page',
      defaultRootObject: 'index.html',
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(bucket),
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        responseHeadersPolicy,
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        functionAssociations: [this.onViewerRequest('RewriteLink', rewriteLink)],
      },
      additionalBehaviors: {
        '/api/patient/*': {
          origin: new HttpOrigin(`${api.apiId}.execute-api.${region}.${urlSuffix}`),
          allowedMethods: AllowedMethods.ALLOW_ALL,
          cachePolicy: CachePolicy.CACHING_DISABLED,
          originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
          responseHeadersPolicy,
          viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
          functionAssociations: [this.onViewerRequest('NameViewer', nameViewer)],
        },
      },
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
    });
    logRequests(this, distribution);
    this.deploy(page, bucket);
    this.url = `https://${distribution.distributionDomainName}`;
  }

  private privateBucket(): IBucket {
    const bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    if (!isPlain(bucket)) throw new Error('the bucket of the hosted page serves a website of its own');
    return bucket;
  }

  private onViewerRequest(id: string, code: string) {
    const viewerFunction = new ViewerFunction(this, id, { runtime: FunctionRuntime.JS_2_0, code: FunctionCode.fromInline(code) });
    return { function: viewerFunction, eventType: FunctionEventType.VIEWER_REQUEST };
  }

  private securityHeaders(): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'SecurityHeaders', {
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override: true },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(2 * 365), includeSubdomains: true, override: true },
      },
      customHeadersBehavior: {
        customHeaders: [
          { header: 'X-Robots-Tag', value: 'noindex, nofollow', override: true },
          { header: 'Permissions-Policy', value: permissionsPolicy, override: true },
        ],
      },
    });
  }

  /** Assets are never removed and go first, so that neither an open old page nor a new one ever misses one. */
  private deploy(page: string, bucket: IBucket): void {
    const shared = { destinationBucket: bucket, prune: false, logGroup: new LogGroup(this, 'DeploymentLogs', { retention: RetentionDays.ONE_MONTH }) };
    const assets = new BucketDeployment(this, 'Assets', {
      ...shared,
      sources: [Source.asset(join(page, 'assets'))],
      destinationKeyPrefix: 'assets',
      cacheControl: [CacheControl.fromString('public, max-age=31536000, immutable')],
    });
    const index = new BucketDeployment(this, 'Index', {
      ...shared,
      sources: [Source.asset(page, { exclude: ['assets'] })],
      cacheControl: [CacheControl.noCache()],
    });
    index.node.addDependency(assets);
  }
}

/** For the compiler: under exactOptionalPropertyTypes a `Bucket` is no `IBucket`, because its `isWebsite` may be undefined. */
function isPlain(bucket: Bucket): bucket is Bucket & IBucket {
  return !bucket.isWebsite;
}
