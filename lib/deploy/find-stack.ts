import {
  CloudFormationServiceException,
  DescribeStacksCommand,
  type CloudFormationClient,
  type Stack,
} from '@aws-sdk/client-cloudformation';

/** Undefined if there is none. A deleted stack can only be found by its ID. */
export async function findStack(cloudFormation: CloudFormationClient, nameOrId: string): Promise<Stack | undefined> {
  try {
    const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName: nameOrId }));
    return Stacks[0];
  } catch (error) {
    if (isMissingStack(error)) return undefined;
    throw error;
  }
}

function isMissingStack(error: unknown): boolean {
  return (
    error instanceof CloudFormationServiceException &&
    error.name === 'ValidationError' &&
    error.message.includes('does not exist')
  );
}
