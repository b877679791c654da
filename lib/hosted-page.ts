import { Duration, Stack, Validations } from 'aws-cdk-lib';
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
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { logRequests } from './distribution-log.ts';
import { deployPage } from './page-deployment.ts';
import { nameViewer, rewriteLink } from './viewer-functions.ts';

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
  /** Where the page's files are, and beside them the practices' logos, which the operator's command puts there. */
  readonly bucket: IBucket;

  constructor(scope: Construct, id: string, { page, api }: HostedPageProps) {
    super(scope, id);
    const { region, urlSuffix } = Stack.of(this);
    this.bucket = deployPage(this, page);
    const responseHeadersPolicy = this.securityHeaders();

    // No custom error responses: they would turn the API's 404 into the page.
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Hosted payment page',
      defaultRootObject: 'index.html',
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(this.bucket, {
          originAccessControl: new S3OriginAccessControl(this, 'OriginAccessControl', { originAccessControlName: this.accountWideName() }),
        }),
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
    this.acknowledgeFindings(distribution);
    this.url = `https://${distribution.distributionDomainName}`;
  }

  private onViewerRequest(id: string, code: string) {
    const viewerFunction = new ViewerFunction(this, id, { runtime: FunctionRuntime.JS_2_0, code: FunctionCode.fromInline(code) });
    return { function: viewerFunction, eventType: FunctionEventType.VIEWER_REQUEST };
  }

  /** CloudFront's names are the account's, not the region's: the same stage in two regions needs two. */
  private accountWideName(): string {
    const { stackName, region } = Stack.of(this);
    return `${stackName}-${region}`;
  }

  private securityHeaders(): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'SecurityHeaders', {
      responseHeadersPolicyName: this.accountWideName(),
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

  private acknowledgeFindings(distribution: Distribution): void {
    const findings = {
      CFR1: 'Patients pay from wherever they are.',
      CFR2: 'The page is static, and the API behind it throttles; a team that wants a firewall adds its own web ACL.',
      CFR3: 'Standard logging v2, which can leave out the path with its token, is on where the stack is in us-east-1; the rule only knows the old kind.',
      CFR4: "Under cloudfront.net CloudFront itself chooses the oldest TLS version; only a domain of the team's own can raise it.",
    };
    for (const [rule, reason] of Object.entries(findings)) Validations.of(distribution).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
  }
}
