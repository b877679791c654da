import { DeleteSecretCommand, DescribeSecretCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Kind } from './kinds.ts';
import { unlessMissing } from './missing.ts';

export function secrets(client: SecretsManagerClient): Kind {
  return {
    plural: 'secrets (AWS deletes them after 7 days)',
    async exists(id) {
      const secret = await unlessMissing(client.send(new DescribeSecretCommand({ SecretId: id })));
      return secret !== undefined && secret.DeletedDate === undefined;
    },
    async remove(id) {
      await client.send(new DeleteSecretCommand({ SecretId: id, RecoveryWindowInDays: 7 }));
    },
  };
}
