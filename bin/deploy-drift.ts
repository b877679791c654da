/** `npm run deploy:drift -- -c stage=…`: what somebody changed by hand in the deployed stack. */
import { setTimeout as wait } from 'node:timers/promises';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { findDrift } from '../lib/deploy/drift.ts';
import { stackNames } from '../lib/settings/stage.ts';
import { runDeployCommand } from './deploy/run.ts';

await runDeployCommand(({ settings, place }) => {
  const tools = { cloudFormation: new CloudFormationClient(place), print: console.log, wait: () => wait(5000) };
  return findDrift(tools, stackNames[settings.stage.name]);
});
