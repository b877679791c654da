import { join } from 'node:path';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyDocument, Role, ServicePrincipal, type PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function, LoggingFormat, RecursiveLoop, Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { settingVariables } from '../../functions/contract/environment.ts';

export interface ServiceFunctionProps {
  /** The directory of its bundle. */
  readonly file: string;
  readonly timeout?: Duration;
  readonly environment?: Record<string, string>;
  /** By default, the function gets its own role. */
  readonly identity?: FunctionIdentity;
  /** Reserved concurrency, which is also the function's maximum. */
  readonly reserved?: number | undefined;
  /** Set if it sends tickets to the queue that invokes it. Otherwise, Lambda drops a message after 16 such rounds. */
  readonly reenqueues?: boolean;
}

interface FunctionIdentity {
  readonly role: Role;
  readonly logGroup: LogGroup;
}

/** Keeps its policy in its own resource. CDK's would take a second one of the 500 that a stack can have. */
class FunctionRole extends Role {
  private readonly policy: PolicyDocument;

  constructor(scope: Construct, id: string) {
    const policy = new PolicyDocument({ minimize: true });
    super(scope, id, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Calls: policy },
    });
    this.policy = policy;
  }

  override addToPrincipalPolicy(statement: PolicyStatement) {
    this.policy.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}

export function functionIdentity(scope: Construct, id: string): FunctionIdentity {
  return identityOf(scope, new FunctionRole(scope, `${id}Role`));
}

/** Use it where a table names the role and the role's policy names the table. */
export function identityOfWriter(scope: Construct, id: string): FunctionIdentity {
  return identityOf(scope, new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') }));
}

function identityOf(scope: Construct, role: Role): FunctionIdentity {
  const logGroup = logGroupOf(scope);
  logGroup.grantWrite(role);
  return { role, logGroup };
}

/** One log group for all of a construct's functions: a stack has at most 500 resources. */
function logGroupOf(scope: Construct): LogGroup {
  const found = scope.node.tryFindChild('Logs');
  return found instanceof LogGroup ? found : new LogGroup(scope, 'Logs', { retention: RetentionDays.ONE_MONTH });
}

/** The stack's name, because two stages can share an account. */
export function metricsNamespace(scope: Construct): string {
  return Stack.of(scope).stackName;
}

const bundlesContext = 'functions';

/** Sets the directory that has the bundles of all functions below a construct. */
export function useBundles(scope: Construct, directory: string): void {
  scope.node.setContext(bundlesContext, directory);
}

export function serviceFunction(scope: Construct, id: string, props: ServiceFunctionProps): Function {
  const { file, timeout = Duration.seconds(10), environment = {} } = props;
  const { role, logGroup } = props.identity ?? functionIdentity(scope, id);
  return new Function(scope, id, {
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    description: file,
    code: Code.fromAsset(join(String(scope.node.getContext(bundlesContext)), file)),
    handler: 'index.handler',
    memorySize: 512,
    timeout,
    environment: { ...environment, [settingVariables.metricsNamespace]: metricsNamespace(scope) },
    role,
    logGroup,
    // A call in progress keeps its version. But a version from a failed deploy goes, or Lambda would not publish it again.
    currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    ...(props.reserved !== undefined && { reservedConcurrentExecutions: props.reserved }),
    loggingFormat: LoggingFormat.JSON,
    // https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
    ...(props.reenqueues && { recursiveLoop: RecursiveLoop.ALLOW }),
  });
}

/** Use it for functions that EventBridge invokes: after two retries, events go to `failures`. */
export function keepFailures(asynchronous: Function, failures: IQueue): void {
  asynchronous.configureAsyncInvoke({ retryAttempts: 2, onFailure: new SqsDestination(failures) });
}

interface Failures {
  /** Events that the function failed on, after two retries. */
  readonly failures: IQueue;
  /** Events that did not reach it. */
  readonly undelivered: IQueue;
}

export function runEvery(
  scope: Construct,
  id: string,
  { interval, handler, failures, undelivered }: Failures & { readonly interval: Duration; readonly handler: Function },
): void {
  keepFailures(handler, failures);
  new Rule(scope, id, {
    schedule: Schedule.rate(interval),
    targets: [new LambdaFunction(handler, { deadLetterQueue: undelivered })],
  });
}

export function kebabCase(name: string): string {
  return name.replaceAll(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}
