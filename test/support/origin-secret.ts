import { settingVariables } from '../../functions/contract/environment.ts';
import { originSecretHeader } from '../../functions/contract/origin-secret.ts';
import type { LocalStack } from '../../lib/local/stack.ts';

/** The secret that a stack's distributions send, and the one that they send after the next deploy. */
export function originSecretsOf(stack: LocalStack): string[] {
  return stack.functionOf('PatientApiGetSession').environment[settingVariables.originSecrets]?.split(' ') ?? [];
}

/** The address that distributions forward to. No output tells it. */
export function pagesApiUrlOf({ urls }: LocalStack): string {
  const [url, ...others] = Object.entries(urls).flatMap(([id, each]) => (id.startsWith('PagesHttpApi') ? [each] : []));
  if (url === undefined || others.length > 0) throw new Error('the stack has not one API for the pages');
  return url;
}

/** For requests that go to the API itself. By default with the secret of test handlers, which is in vitest.config.ts. */
export function throughDistribution(secret = process.env[settingVariables.originSecrets]?.split(' ')[0] ?? '') {
  return { [originSecretHeader]: secret };
}
