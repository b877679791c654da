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
import { Construct } from 'constructs';
import type { ViewerFunctions } from './build-viewer-functions.ts';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { logRequests } from './distribution-log.ts';
import type { OwnDomain } from './own-domain.ts';
import { deployPage } from './page-deployment.ts';

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

interface HostedPageProps {
  readonly page: string;
  readonly viewerFunctions: ViewerFunctions;
  readonly api: HttpApi;
  readonly domain?: OwnDomain | undefined;
}

export class HostedPage extends Construct {
  readonly url: string;
  readonly distributionDomainName: string;
  readonly bucket: IBucket;

  constructor(scope: Construct, id: string, { page, viewerFunctions, api, domain }: HostedPageProps) {
    super(scope, id);
    const { region, urlSuffix } = Stack.of(this);
    this.bucket = deployPage(this, page);
    const responseHeadersPolicy = this.securityHeaders();

    // Custom error responses would turn the API's 404s into the page.
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Hosted payment page',
      defaultRootObject: 'index.html',
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(this.bucket, {
          originAccessControl: new S3OriginAccessControl(this, 'OriginAccessControl', {
            originAccessControlName: this.accountWideName(),
          }),
        }),
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        responseHeadersPolicy,
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        functionAssociations: [this.onViewerRequest('RewriteLink', viewerFunctions.rewriteLink)],
      },
      additionalBehaviors: {
        '/api/patient/*': {
          origin: new HttpOrigin(`${api.apiId}.execute-api.${region}.${urlSuffix}`),
          allowedMethods: AllowedMethods.ALLOW_ALL,
          cachePolicy: CachePolicy.CACHING_DISABLED,
          originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
          responseHeadersPolicy,
          viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
          functionAssociations: [this.onViewerRequest('NameViewer', viewerFunctions.nameViewer)],
        },
      },
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
      ...(domain && {
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
    });
    logRequests(this, distribution);
    this.acknowledgeFindings(distribution, domain);
    this.distributionDomainName = distribution.distributionDomainName;
    this.url = `https://${domain?.name ?? this.distributionDomainName}`;
  }

  private onViewerRequest(id: string, code: string) {
    const viewerFunction = new ViewerFunction(this, id, {
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(code),
    });
    return { function: viewerFunction, eventType: FunctionEventType.VIEWER_REQUEST };
  }

  /** Unique per account, where a stage can run in two regions. */
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
        ],
      },
    });
  }

  private acknowledgeFindings(distribution: Distribution, domain: OwnDomain | undefined): void {
    const findings = {
      CFR1: 'Patients can pay from anywhere.',
      CFR2: 'The page is static and the API throttles; a team that wants a firewall adds its own web ACL.',
      CFR3: 'In us-east-1, standard logging v2 is on, without the path that contains the token; the rule only checks legacy logging.',
      ...(!domain && {
        CFR4: 'CloudFront sets the minimum TLS version for cloudfront.net; only a custom domain can raise it.',
      }),
    };
    for (const [rule, reason] of Object.entries(findings))
      Validations.of(distribution).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
  }
}
