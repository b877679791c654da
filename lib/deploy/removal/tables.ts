import {
  DeleteTableCommand,
  DescribeTableCommand,
  UpdateTableCommand,
  waitUntilTableExists,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import type { Kind } from './kinds.ts';
import { unlessMissing } from './missing.ts';

export function tables(client: DynamoDBClient): Kind {
  async function describe(TableName: string) {
    const answer = await unlessMissing(client.send(new DescribeTableCommand({ TableName })));
    return answer?.Table?.TableStatus === 'DELETING' ? undefined : answer?.Table;
  }

  async function unprotect(TableName: string) {
    const table = await describe(TableName);
    if (!table?.DeletionProtectionEnabled) return;
    await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
    await waitUntilTableExists({ client, maxWaitTime: 300, minDelay: 2, maxDelay: 5 }, { TableName });
  }

  return {
    plural: 'tables',
    exists: async (id) => (await describe(id)) !== undefined,
    unprotect,
    async remove(id) {
      await unprotect(id);
      await client.send(new DeleteTableCommand({ TableName: id }));
    },
  };
}
