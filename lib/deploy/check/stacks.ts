import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { stackNames, type StageName } from '../../settings/stage.ts';
import { findStack } from '../find-stack.ts';
import { look, missing, ok, warning, type Finding } from './finding.ts';

const action = 'cloudformation:DescribeStacks';
/** The bootstrap version that the stack's template requires. */
const bootstrapVersion = 6;

export function checkBootstrap(client: CloudFormationClient, environment: string): Promise<Finding[]> {
  return look('Bootstrap', action, async () => {
    const stack = await findStack(client, 'CDKToolkit');
    const version = stack?.Outputs?.find(({ OutputKey }) => OutputKey === 'BootstrapVersion')?.OutputValue;
    const command = `run \`npx cdk bootstrap ${environment}\``;
    if (!stack) return [missing(`Bootstrap: there is no stack CDKToolkit: ${command}.`)];
    if (Number(version ?? 0) < bootstrapVersion)
      return [missing(`Bootstrap: version ${version ?? 'unknown'} is older than ${bootstrapVersion}: ${command}.`)];
    return [ok(`Bootstrap: version ${version}.`)];
  });
}

export function checkStacks(client: CloudFormationClient, stage: StageName, prefix: string): Promise<Finding[]> {
  return look('Stack', action, async () => {
    const name = stackNames[stage];
    const stack = await findStack(client, name);
    const other = stackNames[stage === 'production' ? 'sandbox' : 'production'];
    return [
      statusFinding(name, stack, prefix),
      ...((await findStack(client, other))
        ? [warning(`Stack: ${other} is in this account, too. Give production and sandbox an account each.`)]
        : []),
    ];
  });
}

interface Described {
  readonly StackStatus?: string | undefined;
  readonly EnableTerminationProtection?: boolean | undefined;
}

function statusFinding(name: string, stack: Described | undefined, prefix: string): Finding {
  if (!stack) return ok(`Stack: ${name} does not exist yet. \`npm run deploy\` creates it.`);
  const { StackStatus: status = 'unknown', EnableTerminationProtection: isProtected } = stack;
  if (status === 'REVIEW_IN_PROGRESS' || /^ROLLBACK_(COMPLETE|FAILED)$/.test(status))
    return ok(`Stack: the first deploy of ${name} did not finish (${status}). \`npm run deploy\` starts over.`);
  if (status.endsWith('_IN_PROGRESS')) return missing(`Stack: AWS is working on ${name} (${status}). Wait for it.`);
  if (status === 'DELETE_FAILED')
    return missing(`Stack: ${name} is half deleted: run \`${prefix}npm run -s practice -- destroy --stack ${name}\`.`);
  if (status === 'UPDATE_ROLLBACK_FAILED')
    return missing(`Stack: ${name} is in ${status}: run \`npx cdk rollback\` with the same settings.`);
  if (!isProtected)
    return warning(`Stack: ${name} can be deleted by mistake. Deploy it again without \`-c protect=false\`.`);
  return ok(`Stack: ${name} is up (${status}).`);
}
