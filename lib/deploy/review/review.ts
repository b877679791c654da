import {
  ChangeSetNotFoundException,
  DeleteChangeSetCommand,
  paginateDescribeChangeSet,
  type Change,
  type CloudFormationClient,
} from '@aws-sdk/client-cloudformation';
import { findStack } from '../find-stack.ts';
import { neverWorked } from '../removal/stack-records.ts';

interface ReviewTools {
  readonly cloudFormation: CloudFormationClient;
  /** Runs the CDK CLI; returns its exit code. */
  readonly cdk: (args: readonly string[]) => Promise<number>;
  readonly print: (line: string) => void;
}

/** Says in words what a deploy with these options would do. Changes nothing. Returns the exit code. */
export async function review(
  { cloudFormation, cdk, print }: ReviewTools,
  stackName: string,
  options: readonly string[],
  now: number,
): Promise<number> {
  if (options.includes('--help') || options.includes('-h')) return cdk(['deploy', ...options]);
  const stack = await findStack(cloudFormation, stackName);
  if (!stack || neverWorked.includes(stack.StackStatus ?? '')) {
    print(`${stackName} does not exist yet: the deploy creates it.`);
    return 0;
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
  return [{ id, type, does: Replacement === 'Conditional' ? 'may replace' : 'change' }];
}

/** What an update does to one resource. */
export interface ResourceChange {
  readonly id: string;
  readonly type: string;
  readonly does: 'add' | 'change' | 'replace' | 'may replace' | 'delete' | 'forget';
}

/** Types whose loss people notice, and what a replacement means to them. */
const noticed: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': 'a new, empty table is used, and its rows stay in the old one',
  'AWS::S3::Bucket': 'a new, empty bucket is used, and its files stay in the old one',
  'AWS::Cognito::UserPool': 'nobody in the old one can sign in',
  'AWS::KMS::Key': 'what the old one encrypted cannot be read with the new one',
  'AWS::SecretsManager::Secret': 'its value is lost',
  'AWS::Events::EventBus': 'events in flight are lost',
  'AWS::SQS::Queue': 'messages in the old one are lost; the sweep sends them again',
  'AWS::ApiGatewayV2::Api': 'its address changes, and pages answer 404 until CloudFront has it',
  'AWS::ApiGatewayV2::Route': 'calls answer 404 meanwhile',
  'AWS::CloudFront::Distribution': 'its address changes, and links stop working',
  'AWS::Cognito::UserPoolDomain': 'nobody can sign in meanwhile',
};

const plain = (type: string) => type.replace(/^AWS::/, '');

/** Says in words what an update does, worst first: a line for each loss, and counts of the rest. */
export function wordsOf(changes: readonly ResourceChange[]): string[] {
  const losses = changes.flatMap(({ id, type, does }) => {
    const meaning = noticed[type];
    const name = `${plain(type)} ${id}`;
    if (does === 'forget') return [`DROPS     ${name}: AWS keeps it, and only \`destroy\` removes it.`];
    if (meaning === undefined) return [];
    if (does === 'replace') return [`REPLACES  ${name}: ${meaning}.`];
    if (does === 'may replace') return [`MAY REPLACE ${name}, which AWS knows only during the deploy: ${meaning}.`];
    return does === 'delete' ? [`REMOVES   ${name}.`] : [];
  });
  const counted = (label: string, wanted: ResourceChange['does'], isLoss: boolean) => {
    const types = changes.filter(({ does, type }) => does === wanted && !(isLoss && noticed[type] !== undefined));
    const counts = [...Map.groupBy(types, ({ type }) => plain(type))].map(([type, each]) => `${each.length} ${type}`);
    return counts.length === 0 ? [] : [`${label} ${counts.sort().join(', ')}`];
  };
  const words = [
    ...losses.sort(),
    ...counted('replaces ', 'replace', true),
    ...counted('may replace', 'may replace', true),
    ...counted('removes  ', 'delete', true),
    ...counted('changes  ', 'change', false),
    ...counted('adds     ', 'add', false),
  ];
  return words.length === 0 ? ['Changes nothing.'] : words;
}
