import { UpdateTerminationProtectionCommand, type CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { Settings } from '../settings/settings.ts';
import { stackNames } from '../settings/stage.ts';
import { findStack } from './find-stack.ts';
import { refusedSettings } from './kept-settings.ts';
import { neverWorked, resourcesOf } from './removal/stack-records.ts';

interface DeployTools {
  readonly cloudFormation: CloudFormationClient;
  /** Runs the CDK CLI; returns its exit code. */
  readonly cdk: (args: readonly string[]) => Promise<number>;
  readonly note: (line: string) => void;
  /** Whether CDK can ask a question. */
  readonly isTerminal: boolean;
}

/** The statuses of a stack that never worked or is being deleted. */
const notUp = [...neverWorked, 'CREATE_IN_PROGRESS', 'ROLLBACK_IN_PROGRESS', 'DELETE_IN_PROGRESS'];

/**
 * Runs `cdk deploy`, and for a first deploy twice. The first run creates everything unprotected, so that AWS can roll it
 * back and the same command can be repeated. The second only turns protection on. Returns the exit code.
 */
export async function deploy(
  { cloudFormation, cdk, note, isTerminal }: DeployTools,
  { settings, prefix }: { readonly settings: Settings; readonly prefix: string },
  options: readonly string[],
): Promise<number> {
  if (options.includes('--help') || options.includes('-h')) return cdk(['deploy', ...options]);
  if (!isTerminal && !isApproved(options)) {
    note('CDK asks before it deploys new permissions, and there is no terminal here to answer in.');
    note('Read what `npm run deploy:review` says with the same settings, then deploy with --require-approval never.');
    return 1;
  }
  const stackName = stackNames[settings.stage.name];
  const stack = await findStack(cloudFormation, stackName);
  if (isUp(stack)) {
    const refusals = refusedSettings(stack, settings);
    if (refusals.length === 0) return cdk(['deploy', ...options]);
    for (const refusal of refusals) note(refusal);
    return 1;
  }

  // The CLI deletes a failed stack, which fails if a plain `cdk deploy` has protected it.
  if (stack?.EnableTerminationProtection && stack.StackStatus?.startsWith('ROLLBACK_'))
    await cloudFormation.send(
      new UpdateTerminationProtectionCommand({ StackName: stackName, EnableTerminationProtection: false }),
    );
  note(`First deploy of ${stackName}. Step 1 of 2: create everything, not protected from deletion yet.`);
  const exitCode = await cdk(['deploy', ...options, '-c', 'protect=false']);
  if (exitCode !== 0) {
    note('The first deploy failed. Correct what CDK says above, then run the same command again.');
    note(await leftBehind(cloudFormation, stackName, prefix));
    return exitCode;
  }
  // For example, with --no-execute.
  if (!isUp(await findStack(cloudFormation, stackName))) return 0;
  note('Step 2 of 2: protect the stack, its tables and its users from deletion.');
  return cdk(['deploy', ...options]);
}

/** The options that answer CDK's question in advance. */
function isApproved(options: readonly string[]): boolean {
  return options.some((each) => /^(-y|--yes|--require-approval)(=|$)/.test(each));
}

/** The remains of a stack that never worked, with the command that removes them, but never a stack that works. */
async function leftBehind(cloudFormation: CloudFormationClient, stackName: string, prefix: string): Promise<string> {
  const stack = await findStack(cloudFormation, stackName);
  // For example, if the credentials expired while AWS carried on.
  if (stack && !neverWorked.includes(stack.StackStatus ?? '')) return `${stackName} is in ${stack.StackStatus}.`;
  const left = stack?.StackId === undefined ? [] : await resourcesOf(cloudFormation, stack.StackId);
  if (left.length === 0) return 'It left nothing behind.';
  const command = `${prefix}npm run -s practice -- destroy --stack ${stackName} --leftovers`;
  const ids = left.slice(0, 5).map(({ PhysicalResourceId }) => PhysicalResourceId);
  const more = left.length > ids.length ? `, and ${left.length - ids.length} more` : '';
  return `It left ${ids.join(', ')}${more}. To remove them instead: ${command}`;
}

function isUp(stack: { readonly StackStatus?: string | undefined } | undefined): boolean {
  return stack?.StackStatus !== undefined && !notUp.includes(stack.StackStatus);
}
