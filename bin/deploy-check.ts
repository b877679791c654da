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
import { readDeployCommand } from '../lib/deploy/command-line.ts';
import { regionOf, regionPrefix } from '../lib/deploy/region.ts';

const labels = { ok: 'ok     ', warning: 'warning', missing: 'MISSING', unknown: 'unknown' } as const;

try {
  const { settings, ...shell } = await readDeployCommand(process.argv.slice(2), process.env);
  const { profile } = shell;
  const account = profile === undefined ? {} : { profile };
  const region = await regionOf(shell);
  const place = { ...account, region };
  const findings = await checkAccount(
    {
      sts: new STSClient(place),
      cloudFormation: new CloudFormationClient(place),
      lambda: new LambdaClient(place),
      acmOf: (of) => new ACMClient({ ...account, region: of }),
      ses: new SESv2Client(place),
      sns: new SNSClient(place),
      secretsManager: new SecretsManagerClient(place),
      resolveAlias: resolveCname,
      isAtCloudFront,
      get: fetch,
    },
    settings,
    { region, prefix: await regionPrefix(region, process.env) },
  );
  for (const { level, text } of findings) console.log(`${labels[level]}  ${text}`);
  process.exitCode = findings.some(({ level }) => level === 'missing') ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : 'The check failed.');
  process.exitCode = 1;
}

async function isAtCloudFront(name: string): Promise<boolean> {
  const options: RequestInit = { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(5000) };
  return (await fetch(`https://${name}/`, options)).headers.has('x-amz-cf-id');
}
