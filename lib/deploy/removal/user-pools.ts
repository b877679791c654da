import {
  DeleteUserPoolCommand,
  DeleteUserPoolDomainCommand,
  DescribeUserPoolCommand,
  UpdateUserPoolCommand,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import type { Kind } from './kinds.ts';
import { unlessMissing } from './missing.ts';

export function userPools(client: CognitoIdentityProviderClient): Kind {
  async function describe(id: string) {
    const answer = await unlessMissing(client.send(new DescribeUserPoolCommand({ UserPoolId: id })));
    return answer?.UserPool;
  }

  return {
    plural: 'user pools',
    exists: async (id) => (await describe(id)) !== undefined,
    // Unprotects only now, when the stack is deleted: the update also resets every setting that it leaves out.
    async remove(id) {
      const { DeletionProtection, Domain } = (await describe(id)) ?? {};
      if (DeletionProtection === 'ACTIVE')
        await client.send(new UpdateUserPoolCommand({ UserPoolId: id, DeletionProtection: 'INACTIVE' }));
      if (Domain) await client.send(new DeleteUserPoolDomainCommand({ UserPoolId: id, Domain }));
      await client.send(new DeleteUserPoolCommand({ UserPoolId: id }));
    },
  };
}
