import { Fn, Names, Stack } from 'aws-cdk-lib';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/**
 * AWS delivers these logs, for which a log group with another name can need an entry in the account's resource policy: it
 * has 5,120 characters for all APIs together. The stack's ID is part of the name because the group outlives its stack.
 */
export function accessLog(scope: Construct): LogGroup {
  const stackId = Fn.select(2, Fn.split('/', Stack.of(scope).stackId));
  return new LogGroup(scope, 'AccessLog', {
    logGroupName: `/aws/vendedlogs/${Names.uniqueResourceName(scope, { maxLength: 60 })}-${stackId}`,
    retention: RetentionDays.ONE_MONTH,
  });
}
