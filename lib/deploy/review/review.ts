import {
  ChangeSetNotFoundException,
  DeleteChangeSetCommand,
  paginateDescribeChangeSet,
  type Change,
  type CloudFormationClient,
} from '@aws-sdk/client-cloudformation';
import type { Settings } from '../../settings/settings.ts';
import { stackNames } from '../../settings/stage.ts';
import { findStack } from '../find-stack.ts';
import { refusedSettings } from '../kept-settings.ts';
import { neverWorked } from '../removal/stack-records.ts';
import { wordsOf, type ResourceChange } from './words.ts';

interface ReviewTools {
  readonly cloudFormation: CloudFormationClient;
  /** Runs the CDK CLI; returns its exit code. */
  readonly cdk: (args: readonly string[]) => Promise<number>;
  readonly print: (line: string) => void;
}

/** Says in words what a deploy with these options would do. Changes nothing. Returns the exit code. */
export async function review(
  { cloudFormation, cdk, print }: ReviewTools,
  settings: Settings,
  options: readonly string[],
  now: number,
): Promise<number> {
  if (options.includes('--help') || options.includes('-h')) return cdk(['deploy', ...options]);
  const stackName = stackNames[settings.stage.name];
  const stack = await findStack(cloudFormation, stackName);
  if (!stack || neverWorked.includes(stack.StackStatus ?? '')) {
    print(`${stackName} does not exist yet: the deploy creates it.`);
    return 0;
  }
  const refusals = refusedSettings(stack, settings);
  if (refusals.length > 0) {
    print('`npm run deploy` would refuse this:');
    for (const refusal of refusals) print(`  ${refusal}`);
    return 1;
  }
  const ChangeSetName = `review-${now}`;
  const prepare = ['--method=prepare-change-set', '--change-set-name', ChangeSetName, '--require-approval', 'never'];
  const exitCode = await cdk(['deploy', ...options, ...prepare]);
  if (exitCode !== 0) return exitCode;
  const changeSet = { StackName: stackName, ChangeSetName };
  print(`What the deploy does to ${stackName}:`);
  for (const line of wordsOf((await changesIn(cloudFormation, changeSet)).flatMap(inWords))) print(`  ${line}`);
  await cloudFormation.send(new DeleteChangeSetCommand(changeSet));
  return 0;
}

/** CDK makes no change set if the template is the deployed one. */
async function changesIn(client: CloudFormationClient, changeSet: { StackName: string; ChangeSetName: string }) {
  const changes: Change[] = [];
  try {
    for await (const page of paginateDescribeChangeSet({ client }, changeSet)) changes.push(...(page.Changes ?? []));
  } catch (error) {
    if (!(error instanceof ChangeSetNotFoundException)) throw error;
  }
  return changes;
}

function inWords({ ResourceChange: change }: Change): ResourceChange[] {
  const { LogicalResourceId: id, ResourceType: type, Action, Replacement, PolicyAction } = change ?? {};
  if (id === undefined || type === undefined) return [];
  // Each gradual release leaves the old versions to the calls that still use them.
  if (Action === 'Remove' && type === 'AWS::Lambda::Version') return [];
  if (Action === 'Remove') return [{ id, type, does: PolicyAction === 'Retain' ? 'forget' : 'delete' }];
  if (Action !== 'Modify') return [{ id, type, does: 'add' }];
  if (Replacement === 'True') return [{ id, type, does: 'replace' }];
  if (Replacement !== 'Conditional') return [{ id, type, does: 'change' }];
  const open = (change?.Details ?? []).filter(({ Target }) => Target?.RequiresRecreation !== 'Never');
  const properties = [...new Set(open.flatMap(({ Target }) => Target?.Name ?? []))].sort();
  return [{ id, type, does: 'may replace', properties }];
}
