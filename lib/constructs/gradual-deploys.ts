import { Duration, NestedStack, Validations } from 'aws-cdk-lib';
import { CfnIntegration } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  Alarm,
  ComparisonOperator,
  MathExpression,
  Metric,
  TreatMissingData,
  type IMetric,
} from 'aws-cdk-lib/aws-cloudwatch';
import { CfnApplication, CfnDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnAlias, CfnEventSourceMapping, type Function } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { metrics } from '../../functions/contract/metrics.ts';
import { ownMetric } from './alarm.ts';

const shifts = ['canary', 'linear', 'allAtOnce'] as const;

export type Shift = (typeof shifts)[number];

/** Throws for anything but one of these. */
export function shiftOf(given: string | undefined): Shift | undefined {
  const shift = shifts.find((known) => known === given);
  if (given !== undefined && shift === undefined)
    throw new Error(`-c shift must be ${shifts.slice(0, -1).join(', ')} or ${shifts.at(-1)}.`);
  return shift;
}

/** CodeDeploy's own: 10% for a quarter of an hour, or 10% more every two minutes. The alarms need a few minutes of calls. */
const configurations = {
  canary: 'CodeDeployDefault.LambdaCanary10Percent15Minutes',
  linear: 'CodeDeployDefault.LambdaLinear10PercentEvery2Minutes',
  allAtOnce: 'CodeDeployDefault.LambdaAllAtOnce',
} as const satisfies Record<Shift, string>;

const aliasName = 'live';

interface MoneyPath {
  readonly handler: Function;
  /** The queue it reads tickets from. Without one, API Gateway calls it. */
  readonly queue?: Queue;
  /** Alarms of the stack that also stop the shift. */
  readonly alarms: readonly Alarm[];
}

interface GradualDeploysProps {
  readonly shift: Shift;
  readonly paths: Readonly<Record<string, MoneyPath>>;
}

/**
 * Puts an alias before each function, and lets CodeDeploy move it from the old version to the new one. A separate stack,
 * because the other one would exceed the 500 resources that CloudFormation allows.
 */
export class GradualDeploys extends NestedStack {
  constructor(scope: Construct, id: string, { shift, paths }: GradualDeploysProps) {
    super(scope, id);
    // CDK's own ID makes names too long. AWS then cuts off the stack's name, which policies match:
    // https://github.com/aws-samples/sample-autonomous-cloud-coding-agents/issues/865
    this.nestedStackResource?.overrideLogicalId(id);
    const application = new CfnApplication(this, 'Application', { computePlatform: 'Lambda' });
    const policy = 'service-role/AWSCodeDeployRoleForLambdaLimited';
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(policy)],
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`,
      reason: "AWS's own for CodeDeploy: it may move aliases and read alarms, and call no function of ours.",
    });
    for (const [name, { handler, queue, alarms }] of Object.entries(paths)) {
      const alarm = new Alarm(this, `${name}Faults`, {
        alarmDescription: `Rolls back a release of ${name}. See web/docs/deploy.md#gradual-deploys`,
        metric: queue ? unfinishedTickets(queue) : faultsOf(handler),
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        threshold: 0,
        evaluationPeriods: 1,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      const group = new CfnDeploymentGroup(this, `${name}Group`, {
        applicationName: application.ref,
        serviceRoleArn: role.roleArn,
        deploymentConfigName: configurations[shift],
        deploymentStyle: { deploymentType: 'BLUE_GREEN', deploymentOption: 'WITH_TRAFFIC_CONTROL' },
        // A fix must get in even while an alarm is on.
        alarmConfiguration: {
          enabled: shift !== 'allAtOnce',
          alarms: [alarm, ...alarms].map(({ alarmName }) => ({ name: alarmName })),
        },
        autoRollbackConfiguration: {
          enabled: true,
          events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST'],
        },
      });
      const alias = new CfnAlias(this, name, {
        name: aliasName,
        functionName: handler.functionName,
        functionVersion: handler.currentVersion.version,
      });
      alias.cfnOptions.updatePolicy = {
        codeDeployLambdaAliasUpdate: { applicationName: application.ref, deploymentGroupName: group.ref },
      };
      this.invokeAlias(handler);
    }
  }

  private invokeAlias(handler: Function): void {
    for (const trigger of handler.stack.node.findAll()) {
      if (trigger instanceof CfnEventSourceMapping && trigger.functionName === handler.functionName)
        trigger.functionName = aliasOf(handler);
      else if (trigger instanceof CfnIntegration && trigger.integrationUri === handler.functionArn)
        trigger.integrationUri = aliasOf(handler);
      else continue;
      trigger.node.addDependency(this);
    }
  }
}

/** Builds the ARN by name: a reference to the alias would be an output of its stack. */
export function aliasOf({ functionArn }: Function): string {
  return `${functionArn}:${aliasName}`;
}

/**
 * Counts crashes of the new version only, and only during a shift: with one version, Lambda does not publish this
 * dimension. What a function catches and logs does not say which version it was.
 */
function faultsOf(handler: Function): IMetric {
  const options = { statistic: 'Sum', period: Duration.minutes(5) };
  return new MathExpression({
    expression: 'IF(FILL(crashes, 0) > 0 OR FILL(logged, 0) > 2, 1, 0)',
    usingMetrics: {
      crashes: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'Errors',
        dimensionsMap: {
          FunctionName: handler.functionName,
          Resource: `${handler.functionName}:${aliasName}`,
          ExecutedVersion: handler.currentVersion.version,
        },
        ...options,
      }),
      logged: ownMetric(handler, 'LoggedErrors', options.statistic, options.period).with({
        dimensionsMap: { [metrics.LoggedErrors.dimension]: handler.functionName },
      }),
    },
    label: 'A crash, or more than 2 logged errors',
    period: options.period,
  });
}

/** Lambda does not count a partly failed batch as an error: the failed tickets stay in the queue. A few others are still being processed. */
function unfinishedTickets(queue: Queue): IMetric {
  const options = { statistic: 'Sum', period: Duration.minutes(5) };
  return new MathExpression({
    expression: 'IF(FILL(received, 0) - FILL(deleted, 0) > MAX([4, FILL(received, 0) / 20]), 1, 0)',
    usingMetrics: {
      received: queue.metricNumberOfMessagesReceived(options),
      deleted: queue.metricNumberOfMessagesDeleted(options),
    },
    label: 'More than 4 tickets, and more than a twentieth, failed',
    period: options.period,
  });
}
