/** `npm run deploy:smoke -- -c stage=…`: asks the deployed stack from outside; in a sandbox with PAYMENTS_API_KEY, it also pays. */
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { readDeployCommand } from '../lib/deploy/command-line.ts';
import { regionOf } from '../lib/deploy/region.ts';
import { smoke } from './deploy/smoke.ts';
import { stackNames } from '../lib/settings/stage.ts';

try {
  const { settings, ...shell } = await readDeployCommand(process.argv.slice(2), process.env);
  const region = await regionOf(shell);
  const cloudFormation = new CloudFormationClient({ region, ...(shell.profile && { profile: shell.profile }) });
  const tools = { cloudFormation, get: fetch, print: console.log };
  // Empty if a pipeline has no such secret.
  const apiKey = process.env['PAYMENTS_API_KEY'] || undefined;
  process.exitCode = await smoke(tools, stackNames[settings.stage.name], apiKey, Date.now());
} catch (error) {
  console.error(error instanceof Error ? error.message : 'The smoke test failed.');
  process.exitCode = 1;
}
