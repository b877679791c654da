import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { BucketDeployment } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { openApiRoute } from '../../functions/contract/open-api-route.ts';
import type { ViewerFunctions } from '../build/viewer-functions.ts';
import { contentSecurityPolicy } from '../build/content-security-policy.ts';
import type { OriginSecret } from './origin-secret.ts';
import type { OwnDomain } from '../settings/own-domain.ts';
import { deployPage } from './page-deployment.ts';
import { distributePage } from './page-distribution.ts';
import { securityTxt, type SecurityContact } from '../settings/security-txt.ts';

interface DashboardProps {
  readonly page: string;
  readonly viewerFunctions: ViewerFunctions;
  readonly api: HttpApi;
  readonly originSecret: OriginSecret;
  /** The hosted page's bucket, which also holds the logos. */
  readonly logos: IBucket;
  readonly domain?: OwnDomain | undefined;
  readonly webAclArn: string | undefined;
  readonly securityContact?: SecurityContact | undefined;
}

export class Dashboard extends Construct {
  readonly url: string;
  readonly distribution: Distribution;
  /** The page itself, in its bucket. */
  readonly documents: BucketDeployment;

  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    const { page, viewerFunctions, api, logos, domain, securityContact } = props;
    const { bucket, documents } = deployPage(this, page, { hasAssets: true });
    this.documents = documents;
    this.distribution = distributePage(this, {
      comment: 'Practice dashboard',
      name: 'Dashboard',
      bucket,
      rewrite: { id: 'ServeIndex', code: viewerFunctions.serveIndex },
      api,
      originHeaders: props.originSecret.headers,
      apiPath: '/api/dashboard/*',
      nameViewer: viewerFunctions.nameViewer,
      apiDocuments: [openApiRoute.path],
      otherFiles: { '/logos/*': logos },
      domain,
      webAclArn: props.webAclArn,
      contentSecurityPolicy,
      anywhere: "A practice's staff can work from anywhere.",
    });
    this.url = `https://${domain?.name ?? this.distribution.distributionDomainName}`;
    if (securityContact) documents.addSource(securityTxt(securityContact, this.url));
  }
}
