import type { ACMClient } from '@aws-sdk/client-acm';
import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SESv2Client } from '@aws-sdk/client-sesv2';
import type { SNSClient } from '@aws-sdk/client-sns';
import { GetCallerIdentityCommand, type STSClient } from '@aws-sdk/client-sts';
import type { Settings } from '../../settings/settings.ts';
import { stackNames } from '../../settings/stage.ts';
import { findStack } from '../find-stack.ts';
import { checkAlarmEmail, checkMail } from './mail.ts';
import { checkCertificate, checkDns, distribution, type DomainTools } from './domain.ts';
import { look, missing, ok, warning, type Finding } from './finding.ts';
import { checkIssuer, type IssuerTools } from './issuer.ts';
import { checkStackSecrets, checkStripeSecret } from './secrets.ts';
import { checkBootstrap, checkStacks } from './stacks.ts';
import { refusedSettings } from '../kept-settings.ts';

/** A new account's quota. */
const enough = 100;
/** Lambda keeps 100 for functions without a reservation. The APIs need more than that next to the queues. */
const enoughToReserve = 400;
const quotaRequest =
  'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000';

function checkConcurrency(
  client: LambdaClient,
  { reserve, prefix }: { readonly reserve: boolean; readonly prefix: string },
): Promise<Finding[]> {
  const request = `${prefix}${quotaRequest}`;
  return look('Lambda', 'lambda:GetAccountSettings', async () => {
    const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
    const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: free = 0 } = AccountLimit ?? {};
    const text = `Lambda: the account runs ${quota} functions at once, ${free} not reserved`;
    if (reserve && quota < enoughToReserve) return [missing(`${text}. Leave out -c reserve=true, or ask: ${request}`)];
    if (quota < enough) return [warning(`${text}: too few for real traffic. Ask: ${request}`)];
    if (!reserve && free >= enoughToReserve) return [warning(`${text}. Add -c reserve=true.`)];
    return [ok(`${text}.`)];
  });
}

export interface CheckTools extends DomainTools, IssuerTools {
  readonly sts: STSClient;
  readonly cloudFormation: CloudFormationClient;
  readonly lambda: LambdaClient;
  readonly acmOf: (region: string) => ACMClient;
  readonly ses: SESv2Client;
  readonly sns: SNSClient;
  readonly secretsManager: SecretsManagerClient;
}

interface Place {
  readonly region: string;
  /** Put before commands to copy, which use the shell's region. */
  readonly prefix: string;
}

/** Finds what an account lacks for a deploy with these settings. Changes nothing. */
export async function checkAccount(
  tools: CheckTools,
  settings: Settings,
  { region, prefix }: Place,
): Promise<Finding[]> {
  const { stage, reserve, domain, dashboardDomain, apiDomain, issuer, webAcl, mailFrom, alarmEmail, stripe } = settings;
  const { cloudFormation } = tools;
  const accountId = await findAccount(tools.sts);
  if (accountId === undefined)
    return [missing('Credentials: AWS accepts none from your shell. Sign in, for example with `aws sso login`.')];

  const stack = await findStack(cloudFormation, stackNames[stage.name]).catch(() => undefined);
  const output = (key: string) => stack?.Outputs?.find(({ OutputKey }) => OutputKey === key)?.OutputValue;
  const ofDomain = async (own: typeof domain, part: string, rival = distribution): Promise<Finding[]> =>
    own
      ? [
          ...(await checkCertificate(tools.acmOf, own, accountId)),
          await checkDns(tools, own.name, {
            target: output(`${part}Target`),
            isServed: output(`${part}Url`) === `https://${own.name}`,
            rival,
          }),
        ]
      : [];
  const topic = output('AlarmTopic');
  return [
    ok(`Credentials: account ${accountId}, region ${region}, stage ${stage.name}.`),
    ...(await checkBootstrap(cloudFormation, `aws://${accountId}/${region}`)),
    ...(await checkStacks(cloudFormation, stage.name, prefix)),
    ...(await checkConcurrency(tools.lambda, { reserve, prefix })),
    ...(await ofDomain(domain, 'HostedPage')),
    ...(await ofDomain(dashboardDomain, 'Dashboard')),
    ...(await ofDomain(apiDomain, 'Api', apiIn(region))),
    ...refusedSettings(stack, settings).map((line) => missing(`Settings: ${line}`)),
    ...(webAcl === undefined || webAcl.includes(`:${accountId}:`)
      ? []
      : [missing(`Web ACL: -c webAcl belongs to another account. Create one in ${accountId}, for CloudFront.`)]),
    ...(alarmEmail === undefined || topic === undefined
      ? []
      : await checkAlarmEmail(tools.sns, { topic, email: alarmEmail, prefix })),
    ...(mailFrom === undefined ? [] : await checkMail(tools.ses, mailFrom, prefix)),
    ...(issuer ? await checkIssuer(tools, issuer) : []),
    ...(await checkStackSecrets(tools, stack?.StackId, { isOwnIssuer: issuer !== undefined })),
    ...(stripe ? await checkStripeSecret(tools.secretsManager, stripe.secret) : []),
  ];
}

/** A regional domain name is unique in its region. */
function apiIn(region: string): RegExp {
  return new RegExp(`\\.execute-api\\.${region}\\.amazonaws\\.com$`);
}

async function findAccount(sts: STSClient): Promise<string | undefined> {
  try {
    return (await sts.send(new GetCallerIdentityCommand({}))).Account;
  } catch {
    return undefined;
  }
}
