import { CfnElement, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { Bucket, IBucket } from 'aws-cdk-lib/aws-s3';

interface Objects {
  readonly bucket: Bucket | IBucket;
  /** For example, `logos/`. */
  readonly prefix: string;
  /** Why the objects cannot be named one by one. */
  readonly reason: string;
}

export function allowObjects(grantee: Function, action: string, { bucket, prefix, reason }: Objects): void {
  grantee.addToRolePolicy(new PolicyStatement({ actions: [action], resources: [bucket.arnForObjects(`${prefix}*`)] }));
  const resource = bucket.node.defaultChild;
  const logicalId = CfnElement.isCfnElement(resource) ? Stack.of(bucket).getLogicalId(resource) : '';
  Validations.of(grantee.role ?? grantee).acknowledge({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::<${logicalId}.Arn>/${prefix}*]`,
    reason,
  });
}
