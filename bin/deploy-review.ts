/** `npm run deploy:review -- -c stage=…`: what `npm run deploy` with the same settings would replace, remove and change. */
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { cdk, readDeployCommand } from '../lib/deploy/command-line.ts';
import { regionOf } from '../lib/deploy/region.ts';
import { review } from '../lib/deploy/review/review.ts';
import { stackNames } from '../lib/settings/stage.ts';

const options = process.argv.slice(2);

try {
  const { settings, ...shell } = await readDeployCommand(options, process.env);
  const region = await regionOf(shell);
  const cloudFormation = new CloudFormationClient({ region, ...(shell.profile && { profile: shell.profile }) });
  const tools = { cloudFormation, cdk, print: console.log };
  process.exitCode = await review(tools, stackNames[settings.stage.name], options, Date.now());
} catch (error) {
  console.error(error instanceof Error ? error.message : 'The review failed.');
  process.exitCode = 1;
}
