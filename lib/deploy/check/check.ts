import type { ACMClient } from '@aws-sdk/client-acm';
import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SESv2Client } from '@aws-sdk/client-sesv2';
import { GetCallerIdentityCommand, type STSClient } from '@aws-sdk/client-sts';
import type { Settings } from '../../settings/settings.ts';
import { stackNames } from '../../settings/stack-name.ts';
import { findStack } from '../find-stack.ts';
import { checkConcurrency } from './concurrency.ts';
import { checkCertificate, checkDns, type ResolveAlias } from './domain.ts';
import { missing, ok, type Finding } from './finding.ts';
import { checkMail } from './mail.ts';
import { checkBootstrap, checkStacks } from './stacks.ts';
import { checkStripeSecret } from './stripe-secret.ts';
import { lostSettings } from '../kept-settings.ts';
import { wrongSecretNumber } from '../secret-number.ts';

export interface CheckTools {
  readonly sts: STSClient;
  readonly cloudFormation: CloudFormationClient;
  readonly lambda: LambdaClient;
  readonly acmOf: (region: string) => ACMClient;
  readonly ses: SESv2Client;
  readonly secretsManager: SecretsManagerClient;
  readonly resolveAlias: ResolveAlias;
}

interface Place {
  readonly region: string;
  /** Of commands to copy that use the shell's region. */
  readonly prefix: string;
}

/** Finds what an account lacks for a deploy with these settings. Changes nothing. */
export async function checkAccount(
  tools: CheckTools,
  settings: Settings,
  { region, prefix }: Place,
): Promise<Finding[]> {
  const { stage, reserve, domain, dashboardDomain, apiDomain, webAcl, mailFrom, stripe, originSecretNumber } = settings;
  const { cloudFormation } = tools;
  const accountId = await findAccount(tools.sts);
  if (accountId === undefined)
    return [missing('Credentials: AWS accepts none of your shell. Sign in, for example with `aws sso login`.')];

  const stack = await findStack(cloudFormation, stackNames[stage.name]).catch(() => undefined);
  const output = (key: string) => stack?.Outputs?.find(({ OutputKey }) => OutputKey === key)?.OutputValue;
  const ofDomain = async (own: typeof domain, target: string): Promise<Finding[]> =>
    own
      ? [
          ...(await checkCertificate(tools.acmOf, own, accountId)),
          await checkDns(tools.resolveAlias, own.name, output(target)),
        ]
      : [];
  return [
    ok(`Credentials: account ${accountId}, region ${region}, stage ${stage.name}.`),
    ...(await checkBootstrap(cloudFormation, `aws://${accountId}/${region}`)),
    ...(await checkStacks(cloudFormation, stage.name, prefix)),
    ...(await checkConcurrency(tools.lambda, { reserve, prefix })),
    ...(await ofDomain(domain, 'HostedPageTarget')),
    ...(await ofDomain(dashboardDomain, 'DashboardTarget')),
    ...(await ofDomain(apiDomain, 'ApiTarget')),
    ...wrongSecretNumber(stack, originSecretNumber).map((line) => missing(`Secret of the distributions: ${line}`)),
    ...lostSettings(stack, settings).map((line) => missing(`Settings: ${line}`)),
    ...(webAcl === undefined || webAcl.includes(`:${accountId}:`)
      ? []
      : [missing(`Web ACL: -c webAcl belongs to another account. Create one in ${accountId}, for CloudFront.`)]),
    ...(mailFrom === undefined ? [] : await checkMail(tools.ses, mailFrom, prefix)),
    ...(stripe ? await checkStripeSecret(tools.secretsManager, stripe.secret) : []),
  ];
}

async function findAccount(sts: STSClient): Promise<string | undefined> {
  try {
    return (await sts.send(new GetCallerIdentityCommand({}))).Account;
  } catch {
    return undefined;
  }
}
