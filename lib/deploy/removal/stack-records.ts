import {
  paginateDescribeStackEvents,
  paginateListStackResources,
  paginateListStacks,
  type CloudFormationClient,
  type StackEvent,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { stackDescriptions, stackNames } from '../../settings/stage.ts';
import { findStack } from '../find-stack.ts';

/** Something must be done first. The message says what. */
export class RemovalRefusal extends Error {}

/** The statuses of a stack whose first deploy failed. */
export const neverWorked = ['REVIEW_IN_PROGRESS', 'CREATE_FAILED', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'];

export async function findRecords(cloudFormation: CloudFormationClient, name: string) {
  const stage = (['sandbox', 'production'] as const).find((each) => stackNames[each] === name);
  const current = await findStack(cloudFormation, name);
  // A failed stack may have no description.
  const isOurs = (description: string | undefined) =>
    !description || description === stackDescriptions[stage ?? 'sandbox'];
  if (stage === undefined || !isOurs(current?.Description))
    throw new RemovalRefusal(`${name} is not a stack of this service.`);

  const deletedIds = [];
  for await (const { StackSummaries = [] } of paginateListStacks(
    { client: cloudFormation },
    { StackStatusFilter: ['DELETE_COMPLETE'] },
  ))
    for (const { StackName, StackId, TemplateDescription } of StackSummaries)
      if (StackName === name && StackId !== undefined && isOurs(TemplateDescription)) deletedIds.push(StackId);
  const id = current?.StackId ?? deletedIds[0];
  if (id === undefined)
    throw new RemovalRefusal(
      `There is no stack ${name} in this account and region, and there was none in the last 90 days.`,
    );
  return {
    stage,
    accountId: id.split(':')[4] ?? '',
    current: current?.StackId === undefined ? undefined : { ...current, StackId: current.StackId },
    deletedIds,
  };
}

/** The stack that has a name, and the deleted stacks that had it in the last 90 days. */
export type StackRecords = Awaited<ReturnType<typeof findRecords>>;

/** All of a stack's resources, even deleted ones. */
async function resourcesEverOf(cloudFormation: CloudFormationClient, stackId: string): Promise<StackResourceSummary[]> {
  const resources = [];
  // DescribeStackResources would stop at 100.
  for await (const { StackResourceSummaries = [] } of paginateListStackResources(
    { client: cloudFormation },
    { StackName: stackId },
  ))
    resources.push(...StackResourceSummaries);
  return resources.filter(({ PhysicalResourceId }) => PhysicalResourceId);
}

/** Includes the resources of nested stacks, which AWS lists separately. */
export async function resourcesEverIn(
  cloudFormation: CloudFormationClient,
  stackId: string,
): Promise<StackResourceSummary[]> {
  const resources = await resourcesEverOf(cloudFormation, stackId);
  const nested = await Promise.all(idsOfNested(resources).map((id) => resourcesEverOf(cloudFormation, id)));
  return [...resources, ...nested.flat()];
}

function idsOfNested(resources: readonly (StackResourceSummary | StackEvent)[]): string[] {
  return resources.flatMap(({ ResourceType, PhysicalResourceId = '' }) =>
    ResourceType === 'AWS::CloudFormation::Stack' ? [PhysicalResourceId] : [],
  );
}

export async function resourcesOf(
  cloudFormation: CloudFormationClient,
  stackId: string,
): Promise<StackResourceSummary[]> {
  return (await resourcesEverOf(cloudFormation, stackId)).filter(exists);
}

/** What updates took out of the stack but kept, even in nested stacks that are gone. AWS keeps events for 90 days. */
export async function droppedFrom(
  cloudFormation: CloudFormationClient,
  stackId: string,
): Promise<(StackEvent | StackResourceSummary)[]> {
  const dropped: (StackEvent | StackResourceSummary)[] = [];
  for await (const { StackEvents = [] } of paginateDescribeStackEvents(
    { client: cloudFormation },
    { StackName: stackId },
  )) {
    dropped.push(...StackEvents.filter(({ ResourceStatus }) => ResourceStatus === 'DELETE_SKIPPED'));
    for (const id of idsOfNested(StackEvents.filter(({ ResourceStatus }) => ResourceStatus === 'DELETE_COMPLETE')))
      dropped.push(...(await resourcesOf(cloudFormation, id)));
  }
  return dropped;
}

export function exists({ ResourceStatus }: StackResourceSummary): boolean {
  return ResourceStatus !== 'DELETE_COMPLETE';
}
