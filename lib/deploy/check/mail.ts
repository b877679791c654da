import { GetAccountCommand, GetEmailIdentityCommand, type SESv2Client } from '@aws-sdk/client-sesv2';
import { isNotFound, look, missing, ok, warning, type Finding } from './finding.ts';

export async function checkMail(client: SESv2Client, from: string): Promise<Finding[]> {
  const identities = [from, from.split('@')[1] ?? ''];
  const sender = await look('Mail', 'ses:GetEmailIdentity', async () => {
    for (const identity of identities)
      if (await isVerified(client, identity)) return [ok(`Mail: SES may send from ${identity}.`)];
    return [missing(`Mail: SES has verified neither ${identities.join(' nor ')}. Verify one in the stack's region.`)];
  });
  const account = await look('Mail', 'ses:GetAccount', async () => {
    const { ProductionAccessEnabled } = await client.send(new GetAccountCommand({}));
    return ProductionAccessEnabled
      ? []
      : [
          warning(
            "Mail: the account is in SES's sandbox and mails only verified addresses. Ask AWS for production access.",
          ),
        ];
  });
  return [...sender, ...account];
}

async function isVerified(client: SESv2Client, identity: string): Promise<boolean> {
  try {
    const answer = await client.send(new GetEmailIdentityCommand({ EmailIdentity: identity }));
    return answer.VerifiedForSendingStatus === true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
