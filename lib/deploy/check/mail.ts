import {
  GetAccountCommand,
  GetEmailIdentityCommand,
  type GetEmailIdentityCommandOutput,
  type SESv2Client,
} from '@aws-sdk/client-sesv2';
import { ListSubscriptionsByTopicCommand, type SNSClient, type Subscription } from '@aws-sdk/client-sns';
import { isNotFound, look, missing, ok, warning, type Finding } from './finding.ts';

export async function checkMail(client: SESv2Client, from: string, prefix: string): Promise<Finding[]> {
  const identities = [from, from.split('@')[1] ?? ''];
  const sender = await look('Mail', 'ses:GetEmailIdentity', async () => {
    for (const identity of identities) {
      const found = await findVerified(client, identity);
      if (found) return [ok(`Mail: SES may send from ${identity}.`), ...configurationSet(identity, found, prefix)];
    }
    return [missing(`Mail: SES has verified neither ${identities.join(' nor ')}. Verify one in the stack's region.`)];
  });
  const account = await look('Mail', 'ses:GetAccount', async () => {
    const { ProductionAccessEnabled } = await client.send(new GetAccountCommand({}));
    return ProductionAccessEnabled
      ? []
      : [
          warning(
            "Mail: the account is in SES's sandbox and sends only to verified addresses. Ask AWS for production access.",
          ),
        ];
  });
  return [...sender, ...account];
}

/** SES uses it for every email, and then asks for a permission on it that our functions do not have. */
function configurationSet(
  identity: string,
  { ConfigurationSetName: name }: GetEmailIdentityCommandOutput,
  prefix: string,
): Finding[] {
  if (name === undefined) return [];
  const fix = `remove it: ${prefix}aws sesv2 put-email-identity-configuration-set-attributes --email-identity ${identity}`;
  return [
    warning(`Mail: ${identity} has the default configuration set ${name}, for which SES may refuse emails: ${fix}`),
  ];
}

async function findVerified(client: SESv2Client, identity: string): Promise<GetEmailIdentityCommandOutput | undefined> {
  try {
    const answer = await client.send(new GetEmailIdentityCommand({ EmailIdentity: identity }));
    return answer.VerifiedForSendingStatus === true ? answer : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** AWS sends nothing to an address until its owner has opened the link in the first email. */
export function checkAlarmEmail(
  client: SNSClient,
  { topic, email, prefix }: { readonly topic: string; readonly email: string; readonly prefix: string },
): Promise<Finding[]> {
  const subject = `Alarms to ${email}`;
  return look(subject, 'sns:ListSubscriptionsByTopic', async () => {
    const own = (await subscriptionsOf(client, topic)).filter(({ Endpoint }) => Endpoint === email);
    if (own.some(({ SubscriptionArn }) => SubscriptionArn?.startsWith('arn:'))) return [ok(`${subject}: confirmed.`)];
    const again = `${prefix}aws sns subscribe --topic-arn ${topic} --protocol email --notification-endpoint ${email}`;
    return [
      warning(
        own.some(({ SubscriptionArn }) => SubscriptionArn === 'PendingConfirmation')
          ? `${subject}: not confirmed, so nobody gets them. Open the link in AWS's email. It expires after two days; for another one: ${again}`
          : `${subject}: not subscribed, so nobody gets them. AWS forgets an address that does not confirm, or somebody unsubscribed: ${again}`,
      ),
    ];
  });
}

async function subscriptionsOf(client: SNSClient, topic: string): Promise<Subscription[]> {
  const found: Subscription[] = [];
  let next: string | undefined;
  do {
    const page = await client.send(new ListSubscriptionsByTopicCommand({ TopicArn: topic, NextToken: next }));
    found.push(...(page.Subscriptions ?? []));
    next = page.NextToken;
  } while (next !== undefined);
  return found;
}
