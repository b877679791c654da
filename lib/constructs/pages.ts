import { join } from 'node:path';
import { CfnElement, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source, type ISource } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import type { ViewerFunctions } from '../build/build.ts';
import { framePolicy, contentSecurityPolicy } from '../build/content-security-policy.ts';
import type { OriginSecret } from './origin-secret.ts';
import type { OwnDomain } from '../settings/own-domain.ts';
import { distributePage, type PageDistributionProps } from './page-distribution.ts';
import { openApiRoute } from '../../functions/contract/unlisted-routes.ts';

/** Uploads assets first and removes nothing, so that open pages and logos keep their files. */
function deployPage(
  scope: Construct,
  page: string,
  { hasAssets }: { hasAssets: boolean },
): { bucket: IBucket; documents: BucketDeployment } {
  const bucket = new Bucket(scope, 'Bucket', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  if (!isPlain(bucket)) throw new Error('the bucket of a page must not be a website');
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions::AwsSolutions-S1',
    reason: 'Only the distribution reads it, and the distribution logs its requests.',
  });

  const shared = {
    destinationBucket: bucket,
    prune: false,
    logGroup: new LogGroup(scope, 'DeploymentLogs', { retention: RetentionDays.ONE_MONTH }),
  };
  const documents = new BucketDeployment(scope, 'Index', {
    ...shared,
    sources: [Source.asset(page, { exclude: ['assets'] })],
    cacheControl: [CacheControl.noCache()],
  });
  if (hasAssets) {
    const assets = new BucketDeployment(scope, 'Assets', {
      ...shared,
      sources: [Source.asset(join(page, 'assets'))],
      destinationKeyPrefix: 'assets',
      cacheControl: [CacheControl.fromString('public, max-age=31536000, immutable')],
    });
    documents.node.addDependency(assets);
  }
  acknowledgeDeployer(documents, bucket);
  return { bucket, documents };
}

/** Helps the type checker: `isWebsite` is optional, so a `Bucket` is not an `IBucket`. */
function isPlain(bucket: Bucket): bucket is Bucket & IBucket {
  return !bucket.isWebsite;
}

function acknowledgeDeployer({ handlerRole }: BucketDeployment, bucket: Bucket): void {
  const { region, synthesizer } = Stack.of(bucket);
  const resource = bucket.node.defaultChild;
  const logicalId = CfnElement.isCfnElement(resource) ? Stack.of(bucket).getLogicalId(resource) : '';
  const deployer = Validations.of(handlerRole.node.scope ?? handlerRole);
  const reason = "CDK's own function. It only copies the page's files from the deployment's assets to their bucket.";
  const findings = [
    'L1',
    'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
    ...['Abort', 'DeleteObject', 'GetBucket', 'GetObject', 'List'].map((action) => `IAM5[Action::s3:${action}*]`),
    `IAM5[Resource::arn:aws:s3:::cdk-${synthesizer.bootstrapQualifier}-assets-<AWS::AccountId>-${region}/*]`,
    `IAM5[Resource::<${logicalId}.Arn>/*]`,
  ];
  for (const finding of findings) deployer.acknowledge({ id: `AwsSolutions::AwsSolutions-${finding}`, reason });
}

/** Where researchers report vulnerabilities: RFC 9116. */
export interface SecurityContact {
  readonly contact: string;
  readonly expires: string;
}

const day = 24 * 3600 * 1000;

/** The file is valid for a year after the deploy. Throws for anything but a mailto: or https: URL. */
export function securityContactOf(contact: string | undefined, now: number): SecurityContact | undefined {
  if (contact === undefined) return undefined;
  if (!/^(mailto:[^\s@]+@[^\s@]+\.[^\s@]+|https:\/\/[^\s]+)$/.test(contact))
    throw new Error(
      '-c securityContact must be a mailto: or https: URL, such as mailto:security@example.com or https://example.com/security.',
    );
  // Rounded to days, so that two deploys on the same day produce the same file.
  const expires = new Date(Math.floor(now / day) * day + 364 * day);
  return { contact, expires: expires.toISOString().replace('.000Z', 'Z') };
}

/** The security.txt of the site at `url`, which may be known only during the deploy. */
function securityTxt({ contact, expires }: SecurityContact, url: string): ISource {
  const path = '.well-known/security.txt';
  const lines = [`Contact: ${contact}`, `Expires: ${expires}`, 'Preferred-Languages: en', `Canonical: ${url}/${path}`];
  return Source.data(path, `${lines.join('\n')}\n`);
}

interface PageProps {
  readonly page: string;
  readonly viewerFunctions: ViewerFunctions;
  readonly api: HttpApi;
  readonly originSecret: OriginSecret;
  readonly domain?: OwnDomain | undefined;
  readonly webAclArn: string | undefined;
  readonly securityContact?: SecurityContact | undefined;
}

type Kind = { readonly hasAssets: boolean } & Omit<
  PageDistributionProps,
  'bucket' | 'api' | 'originHeaders' | 'nameViewer' | 'domain' | 'webAclArn'
>;

class Page extends Construct {
  readonly url: string;
  readonly distribution: Distribution;
  readonly documents: BucketDeployment;
  readonly bucket: IBucket;

  constructor(scope: Construct, id: string, props: PageProps, { hasAssets, ...kind }: Kind) {
    super(scope, id);
    const { page, viewerFunctions, api, originSecret, domain, webAclArn, securityContact } = props;
    const { bucket, documents } = deployPage(this, page, { hasAssets });
    this.bucket = bucket;
    this.documents = documents;
    this.distribution = distributePage(this, {
      ...kind,
      bucket,
      api,
      originHeaders: originSecret.headers,
      nameViewer: viewerFunctions.nameViewer,
      domain,
      webAclArn,
    });
    this.url = `https://${domain?.name ?? this.distribution.distributionDomainName}`;
    if (securityContact) documents.addSource(securityTxt(securityContact, this.url));
  }
}

export class HostedPage extends Page {
  constructor(scope: Construct, id: string, props: PageProps & { readonly hasBankPicker: boolean }) {
    super(scope, id, props, {
      comment: 'Hosted payment page',
      hasAssets: false,
      rewrite: { id: 'RewriteLink', code: props.viewerFunctions.rewriteLink },
      apiPath: '/api/patient/*',
      contentSecurityPolicy: framePolicy,
      hasBankPicker: props.hasBankPicker,
      anywhere: 'Patients can pay from anywhere.',
    });
  }
}

export class Dashboard extends Page {
  /** `logos` is the hosted page's bucket, which also holds the logos. */
  constructor(scope: Construct, id: string, props: PageProps & { readonly logos: IBucket }) {
    super(scope, id, props, {
      comment: 'Practice dashboard',
      hasAssets: true,
      rewrite: { id: 'ServeIndex', code: props.viewerFunctions.serveIndex },
      apiPath: '/api/dashboard/*',
      apiDocuments: [openApiRoute.path],
      otherFiles: { '/logos/*': props.logos },
      contentSecurityPolicy,
      anywhere: "A practice's staff can work from anywhere.",
    });
  }
}
