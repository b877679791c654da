import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { BucketDeployment } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import type { ViewerFunctions } from '../build/viewer-functions.ts';
import { framePolicy } from '../build/content-security-policy.ts';
import type { OriginSecret } from './origin-secret.ts';
import type { OwnDomain } from '../settings/own-domain.ts';
import { deployPage } from './page-deployment.ts';
import { distributePage } from './page-distribution.ts';
import { securityTxt, type SecurityContact } from '../settings/security-txt.ts';

interface HostedPageProps {
  readonly page: string;
  readonly viewerFunctions: ViewerFunctions;
  readonly api: HttpApi;
  readonly originSecret: OriginSecret;
  readonly domain?: OwnDomain | undefined;
  readonly webAclArn: string | undefined;
  readonly hasBankPicker: boolean;
  readonly securityContact?: SecurityContact | undefined;
}

export class HostedPage extends Construct {
  readonly url: string;
  readonly distribution: Distribution;
  /** The page itself, in its bucket. */
  readonly documents: BucketDeployment;
  readonly bucket: IBucket;

  constructor(scope: Construct, id: string, props: HostedPageProps) {
    super(scope, id);
    const { page, viewerFunctions, api, domain, hasBankPicker, securityContact } = props;
    const { bucket, documents } = deployPage(this, page, { hasAssets: false });
    this.bucket = bucket;
    this.documents = documents;
    this.distribution = distributePage(this, {
      comment: 'Hosted payment page',
      name: 'HostedPage',
      bucket: this.bucket,
      rewrite: { id: 'RewriteLink', code: viewerFunctions.rewriteLink },
      api,
      originHeaders: props.originSecret.headers,
      apiPath: '/api/patient/*',
      nameViewer: viewerFunctions.nameViewer,
      domain,
      webAclArn: props.webAclArn,
      contentSecurityPolicy: framePolicy,
      hasBankPicker,
      anywhere: 'Patients can pay from anywhere.',
    });
    this.url = `https://${domain?.name ?? this.distribution.distributionDomainName}`;
    if (securityContact) documents.addSource(securityTxt(securityContact, this.url));
  }
}
