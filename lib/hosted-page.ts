import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { ViewerFunctions } from './build-viewer-functions.ts';
import type { BankPickerOrigins } from './content-security-policy.ts';
import type { OwnDomain } from './own-domain.ts';
import { deployPage } from './page-deployment.ts';
import { distributePage } from './page-distribution.ts';

interface HostedPageProps {
  readonly page: string;
  readonly viewerFunctions: ViewerFunctions;
  readonly api: HttpApi;
  readonly domain?: OwnDomain | undefined;
  readonly bankPicker?: BankPickerOrigins | undefined;
}

export class HostedPage extends Construct {
  readonly url: string;
  readonly distributionDomainName: string;
  readonly bucket: IBucket;

  constructor(scope: Construct, id: string, { page, viewerFunctions, api, domain, bankPicker }: HostedPageProps) {
    super(scope, id);
    this.bucket = deployPage(this, page);
    const { distributionDomainName } = distributePage(this, {
      comment: 'Hosted payment page',
      name: 'HostedPage',
      bucket: this.bucket,
      rewrite: { id: 'RewriteLink', code: viewerFunctions.rewriteLink },
      api,
      apiPath: '/api/patient/*',
      nameViewer: viewerFunctions.nameViewer,
      domain,
      bankPicker,
      anywhere: 'Patients can pay from anywhere.',
    });
    this.distributionDomainName = distributionDomainName;
    this.url = `https://${domain?.name ?? distributionDomainName}`;
  }
}
