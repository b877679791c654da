import { ScanCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

type TableRow = Readonly<Record<string, any>>;

export async function scanTable(client: DynamoDBDocumentClient, TableName: string): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  let ExclusiveStartKey: TableRow | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName, ExclusiveStartKey, ConsistentRead: true }));
    rows.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return rows;
}
