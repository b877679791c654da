/** `npm run deploy -- -c stage=…`: runs `cdk deploy` so that a failed first deploy can be repeated. */
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { cdk, readDeployCommand } from '../lib/deploy/command-line.ts';
import { deploy } from '../lib/deploy/deploy.ts';
import { regionOf, regionPrefix } from '../lib/deploy/region.ts';

const options = process.argv.slice(2);
const note = (line: string) => process.stderr.write(`${line}\n`);

try {
  const { settings, ...shell } = await readDeployCommand(options, process.env);
  const region = await regionOf(shell);
  const cloudFormation = new CloudFormationClient({ region, ...(shell.profile && { profile: shell.profile }) });
  const prefix = await regionPrefix(region, process.env);
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  process.exitCode = await deploy({ cloudFormation, cdk, note, isTerminal }, { settings, prefix }, options);
} catch (error) {
  note(error instanceof Error ? error.message : 'The deploy failed.');
  process.exitCode = 1;
}
