/** `npm run deploy -- -c stage=…`: runs `cdk deploy` so that a failed first deploy can be repeated. */
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { cdk } from '../lib/deploy/command-line.ts';
import { deploy } from '../lib/deploy/deploy.ts';
import { regionPrefix } from '../lib/deploy/region.ts';
import { runDeployCommand } from './deploy/run.ts';

await runDeployCommand(async ({ settings, options, place }) => {
  const cloudFormation = new CloudFormationClient(place);
  const note = (line: string) => process.stderr.write(`${line}\n`);
  const prefix = await regionPrefix(place.region, process.env);
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  return deploy({ cloudFormation, cdk, note, isTerminal }, { settings, prefix }, options);
});
