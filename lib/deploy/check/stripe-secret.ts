import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { liveStripeSecret } from '../../../functions/contract/payments/stripe-secret.ts';
import { isNotFound, look, missing, ok, type Finding } from './finding.ts';

/** Names the wrong fields without quoting them. */
export function checkStripeSecret(client: SecretsManagerClient, secret: string): Promise<Finding[]> {
  return look('Stripe', 'secretsmanager:GetSecretValue on the secret', async () => {
    const text = await read(client, secret);
    if (text === undefined)
      return [missing("Stripe: the secret of -c stripeSecret is not in the stack's region. Create it.")];
    const { error } = liveStripeSecret.safeParse(parsed(text));
    if (!error) return [ok('Stripe: the secret has live keys and signing secrets.')];
    const fields = [...new Set(error.issues.map(({ path }) => String(path[0] ?? 'JSON')))];
    return [
      missing(
        `Stripe: wrong or missing in the secret: ${fields.join(', ')}. It needs sk_live_… or rk_live_…, pk_live_… and two signing secrets.`,
      ),
    ];
  });
}

async function read(client: SecretsManagerClient, secret: string): Promise<string | undefined> {
  try {
    return (await client.send(new GetSecretValueCommand({ SecretId: secret }))).SecretString ?? '';
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
