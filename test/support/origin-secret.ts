import { settingVariables } from '../../functions/contract/environment.ts';
import { originSecretHeader } from '../../functions/contract/origin-secret.ts';
import type { LocalStack } from '../../lib/local/stack.ts';

/** What the distributions of a stack send, and what its functions accept from the next deploy on. */
export function originSecretsOf(stack: LocalStack): string[] {
  return stack.functionOf('PatientApiGetSession').environment[settingVariables.originSecrets]?.split(' ') ?? [];
}

/** For requests that go to the API itself. By default with the secret of test handlers, which is in vitest.config.ts. */
export function throughDistribution(secret = process.env[settingVariables.originSecrets]?.split(' ')[0] ?? '') {
  return { [originSecretHeader]: secret };
}
