import { Fn, Names, Stack } from 'aws-cdk-lib';
import { LogGroup, RetentionDays, CfnDelivery, CfnDeliveryDestination, CfnDeliverySource } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';

/**
 * AWS delivers these logs. A log group with any other name can need an entry in the account's resource policy, which holds
 * 5,120 characters for all APIs together. The stack's ID is part of the name because the group outlives its stack.
 */
export function accessLog(scope: Construct): LogGroup {
  const stackId = Fn.select(2, Fn.split('/', Stack.of(scope).stackId));
  return new LogGroup(scope, 'AccessLog', {
    logGroupName: `/aws/vendedlogs/${Names.uniqueResourceName(scope, { maxLength: 60 })}-${stackId}`,
    retention: RetentionDays.ONE_MONTH,
  });
}

/** Leaves out path, query and referrer: the path contains the patient's token. */
const fields = [
  'date',
  'time',
  'x-edge-location',
  'x-edge-request-id',
  'x-edge-result-type',
  'x-edge-detailed-result-type',
  'cs-method',
  'cs-protocol',
  'cs-protocol-version',
  'ssl-protocol',
  'sc-status',
  'sc-bytes',
  'time-taken',
  'time-to-first-byte',
];

/** CloudFront delivers logs only from us-east-1. */
export function logRequests(scope: Construct, distribution: Distribution): void {
  if (Stack.of(scope).region !== 'us-east-1') return;
  const name = Names.uniqueResourceName(scope, { maxLength: 60 });
  const source = new CfnDeliverySource(scope, 'AccessLogSource', {
    name,
    logType: 'ACCESS_LOGS',
    resourceArn: distribution.distributionArn,
  });
  const destination = new CfnDeliveryDestination(scope, 'AccessLogDestination', {
    // A destination with another log group is a new destination, and needs a new name.
    name: `${name.slice(0, 53)}-vended`,
    destinationResourceArn: accessLog(scope).logGroupArn,
    outputFormat: 'json',
  });
  const delivery = new CfnDelivery(scope, 'AccessLogDelivery', {
    deliverySourceName: source.name,
    deliveryDestinationArn: destination.attrArn,
    recordFields: fields,
  });
  // The delivery refers to its source by name, so CloudFormation cannot infer the order.
  delivery.addResourceDependency(source);
}
