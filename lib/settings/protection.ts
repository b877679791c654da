import { RemovalPolicies, RemovalPolicy, type Stack } from 'aws-cdk-lib';

/**
 * A stack's first deploy is unprotected: if it failed, AWS could neither roll back protected tables nor delete the stack.
 * Throws for anything but `true` and `false`.
 */
export function isProtected(protect = 'true'): boolean {
  if (protect !== 'true' && protect !== 'false')
    throw new Error('-c protect must be true or false. Only a first deploy is unprotected.');
  return protect === 'true';
}

/** Leaves out buckets: CloudFormation deletes only empty ones, and a page's bucket is filled early. */
const types = ['AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key', 'AWS::Cognito::UserPool', 'AWS::Logs::LogGroup'];

/** The resources outlive the stack, unless their own creation is rolled back. */
export function retainData(stack: Stack): void {
  RemovalPolicies.of(stack).apply(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE, { applyToResourceTypes: types });
}
