/** `npm run deploy:review -- -c stage=…`: what `npm run deploy` with the same settings would replace, remove and change. */
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { cdk } from '../lib/deploy/command-line.ts';
import { review } from '../lib/deploy/review/review.ts';
import { runDeployCommand } from './deploy/run.ts';

await runDeployCommand(({ settings, options, place }) => {
  const tools = { cloudFormation: new CloudFormationClient(place), cdk, print: console.log };
  return review(tools, settings, options, Date.now());
});
