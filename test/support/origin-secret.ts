import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { originSecretHeader } from '../../functions/contract/origin-secret.ts';
import type { LocalStack } from '../../lib/local/stack.ts';

/** The secret that a stack's distributions send, and the one that they send after the next deploy. */
export async function originSecretsOf({ environment, resourceName }: LocalStack): Promise<[string, string]> {
  const client = new SecretsManagerClient({
    endpoint: String(environment['AWS_ENDPOINT_URL_SECRETS_MANAGER']),
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const read = async (number: number) => {
    const SecretId = resourceName(`OriginSecret${number}`);
    return (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '';
  };
  return [await read(1), await read(2)];
}

/** The address that distributions forward to. No output tells it. */
export function pagesApiUrlOf({ urls }: LocalStack): string {
  const [url, ...others] = Object.entries(urls).flatMap(([id, each]) => (id.startsWith('PagesHttpApi') ? [each] : []));
  if (url === undefined || others.length > 0) throw new Error('the stack has not one API for the pages');
  return url;
}

const currentSecret = 'currentOriginSecretOfTheTests';

/** For events that tests give to a handler. */
export const stageVariablesOfTests = { originSecrets: `${currentSecret},nextOriginSecretOfTheTests` };

/** For requests that go to the API itself, or for events with `stageVariablesOfTests`. */
export function throughDistribution(secret = currentSecret) {
  return { [originSecretHeader]: secret };
}
