import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { liveStripeSecret } from '../../../functions/contract/payments/stripe.ts';
import { resourcesOf } from '../removal/stack-records.ts';
import { isNotFound, look, missing, ok, type Finding } from './finding.ts';

const action = 'secretsmanager:GetSecretValue on the secret';

/** What the stack's own secrets contain, by the start of their logical IDs. */
const kinds = [
  {
    of: 'SignInClientSecret',
    subject: 'Client secret',
    // RFC 6749, appendix A.11. AWS's console offers JSON first.
    shape: /^(?!\{)[\x20-\x7e]+$/,
    fix: 'It must be the client secret alone, as plain text on one line: no JSON, no line break inside.',
  },
  {
    of: 'OriginSecret',
    subject: 'Secret of the distributions',
    shape: /^\w+$/,
    fix: 'Only AWS writes it: restore its previous version.',
  },
] as const;

/** Never prints the secrets. */
export function checkStackSecrets(
  { cloudFormation, secretsManager }: { cloudFormation: CloudFormationClient; secretsManager: SecretsManagerClient },
  stackId: string | undefined,
  { isOwnIssuer }: { readonly isOwnIssuer: boolean },
): Promise<Finding[]> {
  if (stackId === undefined)
    return Promise.resolve(
      isOwnIssuer
        ? [ok('Client secret: the first deploy creates a secret for it. Put it there, then run this check again.')]
        : [],
    );
  return look('Secrets', `cloudformation:ListStackResources and ${action}`, async () => {
    const secrets = (await resourcesOf(cloudFormation, stackId)).flatMap(
      ({ ResourceType, LogicalResourceId = '', PhysicalResourceId: id = '' }) => {
        const kind = kinds.find(({ of }) => LogicalResourceId.startsWith(of));
        return ResourceType === 'AWS::SecretsManager::Secret' && kind ? [{ ...kind, id }] : [];
      },
    );
    const findings = secrets.map(async ({ of, subject, shape, fix, id }): Promise<Finding> => {
      const text = await read(secretsManager, id);
      if (text === undefined) return missing(`${subject}: ${id} does not exist, or has no value. ${fix}`);
      if (!shape.test(text)) return missing(`${subject}: the text in ${id} is not one. ${fix}`);
      if (of === 'SignInClientSecret' && isOwnIssuer && (await read(secretsManager, id, 'AWSPREVIOUS')) === undefined)
        return missing(
          `${subject}: ${id} still has the value that AWS generated. Put the issuer's client secret there.`,
        );
      return ok(`${subject}: ${id} can be read.`);
    });
    return Promise.all(findings);
  });
}

/** Names the wrong fields without quoting them. */
export function checkStripeSecret(client: SecretsManagerClient, secret: string): Promise<Finding[]> {
  return look('Stripe', action, async () => {
    const text = await read(client, secret);
    if (text === undefined)
      return [missing("Stripe: the secret of -c stripeSecret is not in the stack's region. Create it.")];
    const { error } = z.safeParse(liveStripeSecret, parsed(text));
    if (!error) return [ok('Stripe: the secret has live keys and signing secrets.')];
    const fields = [...new Set(error.issues.map(({ path }) => String(path[0] ?? 'JSON')))];
    return [
      missing(
        `Stripe: wrong or missing in the secret: ${fields.join(', ')}. It needs sk_live_… or rk_live_…, pk_live_… and two signing secrets, without white space inside.`,
      ),
    ];
  });
}

/** Trims it, as the functions do. */
async function read(client: SecretsManagerClient, id: string, stage?: 'AWSPREVIOUS'): Promise<string | undefined> {
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: id, VersionStage: stage }));
    return SecretString?.trim() ?? '';
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
