import { ListSubscriptionsByTopicCommand, type SNSClient, type Subscription } from '@aws-sdk/client-sns';
import { look, ok, warning, type Finding } from './finding.ts';

/** AWS sends nothing to an address before its owner has opened the link of the first mail. */
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
          ? `${subject}: not confirmed, so nobody gets them. Open the link of AWS's mail. It ends after two days; for another one: ${again}`
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
