import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { openApiRoute } from '../functions/contract/open-api-route.ts';
import type { ViewerFunctions } from './build-viewer-functions.ts';
import type { OwnDomain } from './own-domain.ts';
import { deployPage } from './page-deployment.ts';
import { distributePage } from './page-distribution.ts';

interface DashboardProps {
  readonly page: string;
  readonly viewerFunctions: ViewerFunctions;
  readonly api: HttpApi;
  /** The hosted page's bucket, which has the practices' logos. */
  readonly logos: IBucket;
  readonly domain?: OwnDomain | undefined;
}

export class Dashboard extends Construct {
  readonly url: string;
  readonly distributionDomainName: string;

  constructor(scope: Construct, id: string, { page, viewerFunctions, api, logos, domain }: DashboardProps) {
    super(scope, id);
    const { distributionDomainName } = distributePage(this, {
      comment: 'Practice dashboard',
      name: 'Dashboard',
      bucket: deployPage(this, page),
      rewrite: { id: 'ServeIndex', code: viewerFunctions.serveIndex },
      api,
      apiPath: '/api/dashboard/*',
      nameViewer: viewerFunctions.nameViewer,
      apiDocuments: [openApiRoute.path],
      otherFiles: { '/logos/*': logos },
      domain,
      anywhere: "A practice's staff can work from anywhere.",
    });
    this.distributionDomainName = distributionDomainName;
    this.url = `https://${domain?.name ?? distributionDomainName}`;
  }
}
