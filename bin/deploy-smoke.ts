/** `npm run deploy:smoke -- -c stage=…`: probes the deployed stack from outside; in a sandbox with PAYMENTS_API_KEY, also pays. */
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { stackNames } from '../lib/settings/stage.ts';
import { smoke } from './deploy/smoke.ts';
import { runDeployCommand } from './deploy/run.ts';

await runDeployCommand(({ settings, place }) => {
  const tools = { cloudFormation: new CloudFormationClient(place), get: fetch, print: console.log };
  // Empty if a pipeline has no such secret.
  const apiKey = process.env['PAYMENTS_API_KEY'] || undefined;
  return smoke(tools, stackNames[settings.stage.name], apiKey, Date.now());
});
