import {
  DeleteStackCommand,
  UpdateTerminationProtectionCommand,
  type CloudFormationClient,
  type StackEvent,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { findStack } from '../find-stack.ts';
import type { Kind } from './kinds.ts';
import {
  droppedFrom,
  exists,
  neverWorked,
  RemovalRefusal,
  resourcesEverIn,
  resourcesOf,
  type StackRecords,
} from './stack-records.ts';

/** Something that CloudFormation does not delete. */
interface Remain {
  readonly type: string;
  readonly id: string;
}

export interface RemovalPlan {
  /** Undefined if there is no stack, or if it should stay. */
  readonly stack: { readonly id: string; readonly isProtected: boolean; readonly resources: number } | undefined;
  readonly remove: readonly Remain[];
  /** Members of `remove` that are no longer in the stack: a release dropped them, or they are restored copies. */
  readonly dropped: readonly Remain[];
  readonly keep: readonly (Remain & { readonly reason: string })[];
}

export interface RemovalTools {
  readonly cloudFormation: CloudFormationClient;
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly note: (line: string) => void;
  /** Waits between checks of a stack that is being deleted. */
  readonly pause: () => Promise<void>;
}

/** Lists what would be removed and changes nothing. `leftovers` limits it to what failed and deleted stacks of this name left behind. */
export async function planRemoval(
  { cloudFormation, kinds }: RemovalTools,
  { current, deletedIds }: StackRecords,
  { leftovers }: { leftovers: boolean },
): Promise<RemovalPlan> {
  const { StackStatus: status = '', StackName: name = '' } = current ?? {};
  const isSpared = leftovers && !neverWorked.includes(status);
  if (!isSpared && status.endsWith('_IN_PROGRESS') && !['REVIEW_IN_PROGRESS', 'DELETE_IN_PROGRESS'].includes(status))
    throw new RemovalRefusal(`AWS is working on ${name} (${status}). Try again when it is done.`);

  const everOwn = current ? await resourcesEverIn(cloudFormation, current.StackId) : [];
  const own = everOwn.filter(exists);
  const earlier = [];
  for (const id of deletedIds) earlier.push(...(await resourcesEverIn(cloudFormation, id)));
  const ownIds = new Set(own.map(({ PhysicalResourceId }) => PhysicalResourceId));
  const left = remainsOf(earlier.filter(exists)).filter(({ id }) => !ownIds.has(id));
  const logs = await logGroupsOf(kinds, isSpared ? earlier : [...everOwn, ...earlier]);
  const dropped =
    current && !isSpared ? await droppedOf(kinds, name, await droppedFrom(cloudFormation, current.StackId)) : [];

  const remove: Remain[] = [];
  const keep: (Remain & { reason: string })[] = [];
  const found = [...(isSpared ? [] : remainsOf(own)), ...left, ...dropped].filter(({ type }) => kinds.has(type));
  const remains = [...new Map(found.map((remain) => [remain.id, remain])).values()];
  for (const remain of remains) {
    const kind = kinds.get(remain.type);
    if (kind && !(await kind.exists(remain.id))) continue;
    const reason = await kind?.reasonToKeep?.(remain.id);
    if (reason === undefined) remove.push(remain);
    else keep.push({ ...remain, reason });
  }
  const planned = new Set(remains.map(({ id }) => id));
  remove.push(...logs.filter(({ id }) => !planned.has(id)));
  const stackIds = new Set([...own, ...earlier].map(({ PhysicalResourceId }) => PhysicalResourceId));
  return {
    stack:
      current && !isSpared
        ? { id: current.StackId, isProtected: current.EnableTerminationProtection ?? false, resources: own.length }
        : undefined,
    remove,
    dropped: remove.filter(({ id }) => dropped.some((each) => each.id === id) && !stackIds.has(id)),
    keep,
  };
}

/** Removes what the plan lists. Can be repeated after an error. */
export async function destroy(tools: RemovalTools, plan: RemovalPlan) {
  const { kinds, note } = tools;
  await Promise.all(plan.remove.map(async ({ type, id }) => kinds.get(type)?.unprotect?.(id)));
  const retained = plan.stack ? await deleteStack(tools, plan.stack) : [];

  const removed: Remain[] = [];
  /** What could not be removed. */
  const left: (Remain & { reason: string })[] = [];
  const known = new Set([...plan.remove, ...plan.keep].map(({ id }) => id));
  const remains = [...plan.remove, ...retained.filter(({ id }) => !known.has(id))];
  for (const [type, kind] of kinds) {
    const own = remains.filter((remain) => remain.type === type);
    if (own.length > 0) note(`Removing ${kind.plural}: ${own.length}`);
    for (const remain of own)
      try {
        if (await kind.exists(remain.id)) await kind.remove(remain.id);
        removed.push(remain);
      } catch (error) {
        left.push({ ...remain, reason: error instanceof Error ? error.message : 'unknown error' });
      }
  }
  for (const remain of remains.filter(({ type }) => !kinds.has(type)))
    left.push({ ...remain, reason: 'this command does not know the type' });
  return { removed, kept: plan.keep, left };
}

/** Deletes the stack and returns what CloudFormation left behind. */
async function deleteStack(
  { cloudFormation, note, pause }: RemovalTools,
  { id, isProtected }: NonNullable<RemovalPlan['stack']>,
): Promise<Remain[]> {
  if (isProtected)
    await cloudFormation.send(
      new UpdateTerminationProtectionCommand({ StackName: id, EnableTerminationProtection: false }),
    );
  note('Deleting the stack. CloudFront alone takes about 15 minutes.');
  await cloudFormation.send(new DeleteStackCommand({ StackName: id }));
  if ((await finalStatus()) === 'DELETE_FAILED') {
    const failed = (await resourcesOf(cloudFormation, id)).filter((each) => each.ResourceStatus === 'DELETE_FAILED');
    note(`CloudFormation could not delete ${failed.length} resources. Deleting the stack without them.`);
    const RetainResources = failed.flatMap(({ LogicalResourceId }) => LogicalResourceId ?? []);
    await cloudFormation.send(new DeleteStackCommand({ StackName: id, RetainResources }));
    const status = await finalStatus();
    if (status !== 'DELETE_COMPLETE') throw new RemovalRefusal(`The stack is in ${status}. Run the command again.`);
  }
  // Versions are kept in an update, but a deleted function takes its versions along.
  return remainsOf(await resourcesOf(cloudFormation, id)).filter(({ type }) => type !== 'AWS::Lambda::Version');

  async function finalStatus(): Promise<string> {
    for (;;) {
      await pause();
      const status = (await findStack(cloudFormation, id))?.StackStatus ?? 'DELETE_COMPLETE';
      if (status === 'DELETE_COMPLETE' || status === 'DELETE_FAILED') return status;
    }
  }
}

/** Includes both the ones AWS recorded and the ones found by name, because AWS forgets events. */
async function droppedOf(
  kinds: RemovalTools['kinds'],
  stackName: string,
  recorded: readonly (StackResourceSummary | StackEvent)[],
) {
  const dropped = remainsOf(recorded);
  for (const [type, kind] of kinds)
    for (const id of (await kind.namedAfter?.(stackName)) ?? []) dropped.push({ type, id });
  return dropped;
}

/** Finds log groups that Lambda created for CDK's own functions: the stack does not list them. */
async function logGroupsOf(
  kinds: RemovalTools['kinds'],
  resources: readonly StackResourceSummary[],
): Promise<Remain[]> {
  const names = remainsOf(resources).flatMap(({ type, id }) => (type === 'AWS::Lambda::Function' ? [id] : []));
  const remains = [];
  for (const [type, kind] of kinds)
    for (const id of (await kind.ofFunctions?.(names)) ?? []) remains.push({ type, id });
  return remains;
}

function remainsOf(resources: readonly (StackResourceSummary | StackEvent)[]): Remain[] {
  return resources.flatMap(({ ResourceType, PhysicalResourceId }) =>
    ResourceType === undefined || PhysicalResourceId === undefined
      ? []
      : [{ type: ResourceType, id: PhysicalResourceId }],
  );
}
