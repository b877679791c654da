/** `npm run deploy:check -- -c stage=…`: what is missing before `npm run deploy` with the same settings. */
import { resolveCname } from 'node:dns/promises';
import { ACMClient } from '@aws-sdk/client-acm';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SNSClient } from '@aws-sdk/client-sns';
import { STSClient } from '@aws-sdk/client-sts';
import { checkAccount } from '../lib/deploy/check/check.ts';
import { regionPrefix } from '../lib/deploy/region.ts';
import { runDeployCommand } from './deploy/run.ts';

const labels = { ok: 'ok     ', warning: 'warning', missing: 'MISSING', unknown: 'unknown' } as const;

await runDeployCommand(async ({ settings, place }) => {
  const findings = await checkAccount(
    {
      sts: new STSClient(place),
      cloudFormation: new CloudFormationClient(place),
      lambda: new LambdaClient(place),
      acmOf: (of) => new ACMClient({ ...place, region: of }),
      ses: new SESv2Client(place),
      sns: new SNSClient(place),
      secretsManager: new SecretsManagerClient(place),
      resolveAlias: resolveCname,
      isAtCloudFront,
      get: fetch,
    },
    settings,
    { region: place.region, prefix: await regionPrefix(place.region, process.env) },
  );
  for (const { level, text } of findings) console.log(`${labels[level]}  ${text}`);
  return findings.some(({ level }) => level === 'missing') ? 1 : 0;
});

async function isAtCloudFront(name: string): Promise<boolean> {
  const options: RequestInit = { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(5000) };
  return (await fetch(`https://${name}/`, options)).headers.has('x-amz-cf-id');
}
