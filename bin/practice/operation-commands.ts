import { setTimeout } from 'node:timers/promises';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { InvalidArgumentError } from 'commander';
import { getCheckedEvidence, proveWriteOnce } from '../../functions/payments/proof.ts';
import { redrive } from '../../functions/webhooks/redrive.ts';
import { command, freeCommand, type Terminal, session, text, flag } from './command.ts';
import { describe, printable, table } from './layout.ts';
import {
  destroy as destroyStack,
  planRemoval,
  type RemovalPlan,
  type RemovalTools,
} from '../../lib/deploy/removal/destroy.ts';
import { kindsOf, type Kind, type RemovalClients } from '../../lib/deploy/removal/kinds.ts';
import { findRecords, RemovalRefusal, type StackRecords } from '../../lib/deploy/removal/stack-records.ts';
import { OperatorError, requireRegion } from './stack.ts';

const group = 'Operations';

const destroy = freeCommand({
  group,
  summary: 'Remove a deployed stack for good, with its data. Asks first.',
  options: {
    dryRun: flag('only list what would be removed'),
    leftovers: flag('only remove what failed or deleted stacks of that name left behind, never a stack that works'),
  },
  run: async ({ place, terminal }, { dryRun, leftovers }) => {
    const { stack: name } = place;
    if (name === undefined)
      throw new InvalidArgumentError('destroy needs --stack NAME. `npm start -- --fresh` clears a local stack.');
    const shell = await requireRegion();
    try {
      return await destroyNamed(name, { dryRun, leftovers }, terminal, {
        cloudFormation: new CloudFormationClient(shell),
        dynamodb: new DynamoDBClient(shell),
        kms: new KMSClient(shell),
        s3: new S3Client(shell),
        logs: new CloudWatchLogsClient(shell),
        cognito: new CognitoIdentityProviderClient(shell),
        secretsManager: new SecretsManagerClient(shell),
        pause: () => setTimeout(5000),
      });
    } catch (error) {
      if (error instanceof RemovalRefusal) throw new OperatorError(error.message);
      throw error;
    }
  },
});

export const operationCommands = {
  evidence: command({
    group,
    summary: 'Show the authorization that a patient accepted.',
    options: { sessionId: session },
    run: getCheckedEvidence,
    show: ({ text: accepted, ...facts }, page) =>
      [describe(page, facts), ...accepted.split('\n').map(printable)].join('\n\n'),
  }),
  'prove-write-once': command({
    group,
    summary: 'Try to change and delete evidence, which AWS must refuse. Changes none.',
    options: {},
    run: (stack, _, now) => proveWriteOnce(stack, now),
    show: (refused, page) =>
      table(
        page,
        ['Attempt', 'Refused'],
        Object.entries(refused).map(([attempt, isRefused]) => [attempt, isRefused ? 'yes' : 'NO']),
      ),
    failed: (refused) => Object.values(refused).includes(false),
  }),
  redrive: command({
    group,
    summary: 'Retry what is in the dead-letter queues.',
    options: { queue: text('NAME', "the alarm's name; every queue by default", 'FailedSettlements') },
    run: redrive,
    show: ({ redriven, dropped, kept }, page) =>
      table(
        page,
        ['Queue', 'Redriven', 'Dropped', 'Kept'],
        Object.keys(redriven).map((queue) => [queue, redriven[queue], dropped[queue], kept[queue]]),
      ),
  }),
  destroy,
};

interface DestroyTools extends RemovalClients, Pick<RemovalTools, 'cloudFormation' | 'pause'> {}

/** Throws an OperatorError if the answers are wrong. */
export async function destroyNamed(
  name: string,
  { dryRun, leftovers }: { readonly dryRun: boolean; readonly leftovers: boolean },
  terminal: Terminal,
  { cloudFormation, pause, ...clients }: DestroyTools,
) {
  const records = await findRecords(cloudFormation, name);
  const kinds = kindsOf(clients, records.stage);
  const tools = { cloudFormation, kinds, pause, note: (line: string) => terminal.note(line) };
  const plan = await planRemoval(tools, records, { leftovers });
  for (const line of planLines(name, plan, kinds)) terminal.note(line);
  const empty = { removed: [], kept: plan.keep, left: [] };
  const isEmpty = !plan.stack && plan.remove.length === 0;
  if (!dryRun && !isEmpty) await confirm(name, records, plan, terminal);
  const result = dryRun || isEmpty ? empty : await destroyStack(tools, plan);
  return {
    result,
    failed: result.left.length > 0,
    show: () =>
      [
        isEmpty ? 'There is nothing to remove.' : dryRun ? 'Nothing was removed.' : removed(name, plan),
        ...(result.left.length > 0
          ? ['Not removed. Fix the cause, then run the command again:', remains(result.left)]
          : []),
        ...(result.kept.length > 0 ? ['Kept:', remains(result.kept)] : []),
      ].join('\n'),
  };

  function remains(each: RemovalPlan['keep']) {
    return table(
      terminal,
      ['Type', 'ID', 'Reason'],
      each.map(({ type, id, reason }) => [type, id, reason]),
    );
  }
}

function removed(name: string, { stack }: RemovalPlan): string {
  return stack ? `${name} is removed.` : `What earlier stacks named ${name} left behind is removed.`;
}

async function confirm(
  name: string,
  { stage, accountId }: StackRecords,
  { stack }: RemovalPlan,
  terminal: Terminal,
): Promise<void> {
  if ((await terminal.ask(`This cannot be undone. Type the stack's name to go on: `))?.trim() !== name)
    throw new OperatorError("That is not the stack's name. Nothing was removed.");
  if (stage !== 'production') return;
  terminal.note(
    stack
      ? 'This is production: its sessions, statements, audit log and users are deleted, and every link stops working.'
      : 'This is production: sessions, statements, audit logs and users that earlier stacks of this name kept are deleted for good.',
  );
  if ((await terminal.ask(`Type the ID of the AWS account that it is in: `))?.trim() !== accountId)
    throw new OperatorError("That is not the account's ID. Nothing was removed.");
}

function planLines(
  name: string,
  { stack, remove, dropped, keep }: RemovalPlan,
  kinds: ReadonlyMap<string, Kind>,
): string[] {
  const counts = [...kinds].flatMap(([type, { plural }]) => {
    const count = remove.filter((each) => each.type === type).length;
    return count > 0 ? [`  ${plural}: ${count}`] : [];
  });
  return [
    ...(stack ? [`The stack ${name}: ${stack.resources} resources`] : []),
    ...(counts.length > 0 ? ['To remove with the stack, or after it:', ...counts] : []),
    ...dropped.map(({ id }) => `Not in the stack anymore: ${id}, which a release dropped or a restore made`),
    ...keep.map(({ id, reason }) => `To keep: ${id}, ${reason}`),
  ];
}
