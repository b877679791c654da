import {
  DescribeStackDriftDetectionStatusCommand,
  DetectStackDriftCommand,
  paginateDescribeStackResourceDrifts,
  type CloudFormationClient,
  type PropertyDifference,
  type StackResourceDrift,
  type StackResourceDriftStatus,
} from '@aws-sdk/client-cloudformation';
import { plain } from './review/words.ts';

interface DriftTools {
  readonly cloudFormation: CloudFormationClient;
  readonly print: (line: string) => void;
  /** Waits between checks of whether AWS is done. */
  readonly wait: () => Promise<unknown>;
}

/** Says what differs from the stack's template. Returns the exit code, which is 1 if something does. */
export async function findDrift({ cloudFormation, print, wait }: DriftTools, StackName: string): Promise<number> {
  const { StackDriftDetectionId } = await cloudFormation.send(new DetectStackDriftCommand({ StackName }));
  const question = new DescribeStackDriftDetectionStatusCommand({ StackDriftDetectionId });
  let status = await cloudFormation.send(question);
  while (status.DetectionStatus === 'DETECTION_IN_PROGRESS') {
    await wait();
    status = await cloudFormation.send(question);
  }
  const lines = (await driftsIn(cloudFormation, StackName)).flatMap(inWords);
  const failed = status.DetectionStatus === 'DETECTION_FAILED';
  // Some resources were compared anyway.
  if (failed) print(`AWS could not compare everything: ${status.DetectionStatusReason}`);
  for (const line of lines) print(line);
  if (lines.length > 0)
    print('A deploy undoes none of this, because it changes only what differs between two templates. Undo it by hand.');
  else if (!failed) print(`${StackName} is as its template says, as far as AWS compares it.`);
  return failed || lines.length > 0 ? 1 : 0;
}

async function driftsIn(client: CloudFormationClient, StackName: string): Promise<StackResourceDrift[]> {
  const drifts: StackResourceDrift[] = [];
  const input = {
    StackName,
    StackResourceDriftStatusFilters: ['MODIFIED', 'DELETED'] satisfies StackResourceDriftStatus[],
  };
  for await (const page of paginateDescribeStackResourceDrifts({ client }, input))
    drifts.push(...(page.StackResourceDrifts ?? []));
  return drifts;
}

function inWords(drift: StackResourceDrift): string[] {
  const name = `${plain(drift.ResourceType ?? '')} ${drift.LogicalResourceId}`;
  if (drift.StackResourceDriftStatus === 'DELETED') return [`DELETED   ${name}`];
  const { PropertyDifferences: differences = [] } = drift;
  if (differences.length === 0) return [`CHANGED   ${name}`];
  const real = differences.filter((difference) => !isSameKey(difference));
  return real.map(
    ({ PropertyPath, ExpectedValue, ActualValue }) =>
      `CHANGED   ${name} ${PropertyPath}: ${ActualValue} in place of ${ExpectedValue}`,
  );
}

/** DynamoDB names a table's key by its ID; our template names it by its ARN: https://github.com/aws/aws-cdk/issues/35136 */
function isSameKey({ ExpectedValue, ActualValue }: PropertyDifference): boolean {
  return ExpectedValue?.startsWith('arn:') === true && ExpectedValue.endsWith(`:key/${ActualValue}`);
}
