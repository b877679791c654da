import {
  GetAccountCommand,
  GetEmailIdentityCommand,
  type GetEmailIdentityCommandOutput,
  type SESv2Client,
} from '@aws-sdk/client-sesv2';
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
            "Mail: the account is in SES's sandbox and mails only verified addresses. Ask AWS for production access.",
          ),
        ];
  });
  return [...sender, ...account];
}

/** SES uses it for every mail, and then asks for a permission on it that our functions do not have. */
function configurationSet(
  identity: string,
  { ConfigurationSetName: name }: GetEmailIdentityCommandOutput,
  prefix: string,
): Finding[] {
  if (name === undefined) return [];
  const fix = `remove it: ${prefix}aws sesv2 put-email-identity-configuration-set-attributes --email-identity ${identity}`;
  return [
    warning(`Mail: ${identity} has the default configuration set ${name}, for which SES may refuse mails: ${fix}`),
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
