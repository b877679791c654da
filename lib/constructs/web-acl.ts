import { Stack } from 'aws-cdk-lib';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { Stage } from '../settings/stage.ts';

const globalWebAcl = /^arn:aws:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]+\/[\w-]+$/;

/** Throws for an ARN that CloudFront cannot use. */
export function webAclArnOf(setting: string | undefined): string | undefined {
  if (setting === undefined || globalWebAcl.test(setting)) return setting;
  throw new Error('-c webAcl must be the ARN of a global web ACL: arn:aws:wafv2:us-east-1:…:global/webacl/….');
}

/** Requests per 5 minutes from one address: below every route's throttle, and enough for 150 patients on one Wi-Fi. */
const requestsPerAddress = 10_000;

/** The team's own web ACL or, in production, one that we create. CloudFront's web ACLs must be in us-east-1. */
export function webAclArn(scope: Construct, stage: Stage, own: string | undefined): string | undefined {
  if (own !== undefined) return own;
  if (stage.mode !== 'live' || Stack.of(scope).region !== 'us-east-1') return undefined;
  // Samples would show paths, which contain tokens.
  const watched = { cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
  const webAcl = new CfnWebACL(scope, 'WebAcl', {
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: { ...watched, metricName: 'Pages' },
    rules: [
      {
        name: 'RequestsPerAddress',
        priority: 0,
        action: { block: { customResponse: { responseCode: 429 } } },
        statement: {
          rateBasedStatement: {
            aggregateKeyType: 'IP',
            evaluationWindowSec: 300,
            limit: requestsPerAddress,
            scopeDownStatement: {
              byteMatchStatement: {
                fieldToMatch: { uriPath: {} },
                positionalConstraint: 'STARTS_WITH',
                searchString: '/api/',
                textTransformations: [{ priority: 0, type: 'NONE' }],
              },
            },
          },
        },
        visibilityConfig: { ...watched, metricName: 'RequestsPerAddress' },
      },
    ],
  });
  return webAcl.attrArn;
}
