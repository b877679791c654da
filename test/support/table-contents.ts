import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { LocalStack } from '../../lib/local/stack.ts';
import { awsConfig } from './aws.ts';

/** Every row of every table of a running stack, as text; without a key's last use, which any request with the key may change. */
export async function readTables({ environment }: LocalStack): Promise<Set<string>> {
  const client = new DynamoDBClient(awsConfig(environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? ''));
  const documents = DynamoDBDocumentClient.from(client);
  const { TableNames = [] } = await client.send(new ListTablesCommand());
  const rows = new Set<string>();
  for (const TableName of TableNames) {
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const page = await documents.send(new ScanCommand({ TableName, ExclusiveStartKey, ConsistentRead: true }));
      for (const { lastUsedOn: _, ...row } of page.Items ?? []) rows.add(`${TableName} ${stableJson(row)}`);
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
  }
  client.destroy();
  return rows;
}

function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}
