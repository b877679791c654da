import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableNotExists,
  type CreateTableCommandInput,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { inert } from './property-schema.ts';
import { SetupError } from './setup-error.ts';
import type { Resource } from './template.ts';

const keySchema = z.array(z.strictObject({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));
const projection = z.strictObject({
  ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
  NonKeyAttributes: z.array(z.string()).optional(),
});

export const tableProperties = z.strictObject({
  AttributeDefinitions: z.array(z.strictObject({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N']) })),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z
    .array(z.strictObject({ IndexName: z.string(), KeySchema: keySchema, Projection: projection }))
    .optional(),
  StreamSpecification: z.strictObject({ StreamViewType: z.literal('NEW_IMAGE') }).optional(),
  TimeToLiveSpecification: z.strictObject({ AttributeName: z.string(), Enabled: z.boolean() }).optional(),
  BillingMode: z.literal('PAY_PER_REQUEST').optional(),
  Replicas: z
    .array(
      z.strictObject({
        Region: z.string(),
        DeletionProtectionEnabled: inert('--fresh is the only way to delete a local table'),
        PointInTimeRecoverySpecification: inert('the data directory can be copied'),
        SSESpecification: inert('a laptop encrypts its own disk'),
        GlobalSecondaryIndexes: inert('repeats the table-wide list'),
        ResourcePolicy: inert('nothing on one machine checks permissions; tests of the template do'),
      }),
    )
    .max(1),
  SSESpecification: inert('a laptop encrypts its own disk'),
});

type TableResource = Resource<z.output<typeof tableProperties>>;

/** Throws SetupError if an existing table has other keys or indexes. */
export async function createTables(client: DynamoDBClient, tables: readonly TableResource[]): Promise<void> {
  await Promise.all(tables.map((table) => createTable(client, table)));
}

/** Deletes the tables that an earlier run left in a database. Leaves every other table alone. */
export async function deleteTables(
  client: DynamoDBClient,
  tables: readonly Pick<TableResource, 'name'>[],
): Promise<void> {
  await Promise.all(
    tables.map(async ({ name }) => {
      if ((await describeTable(client, name)) === undefined) return;
      await client.send(new DeleteTableCommand({ TableName: name }));
      await waitUntilTableNotExists({ client, maxWaitTime: 30, minDelay: 1, maxDelay: 1 }, { TableName: name });
    }),
  );
}

async function createTable(client: DynamoDBClient, table: TableResource): Promise<void> {
  const existing = await describeTable(client, table.name);
  if (existing === undefined) await client.send(new CreateTableCommand(definition(table)));
  else await alignTable(client, table, existing);

  const timeToLive = table.properties.TimeToLiveSpecification;
  if (existing === undefined && timeToLive !== undefined) {
    await client.send(new UpdateTimeToLiveCommand({ TableName: table.name, TimeToLiveSpecification: timeToLive }));
  }
}

export async function describeTable(client: DynamoDBClient, name: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

function definition({ name, properties }: TableResource): CreateTableCommandInput {
  const stream = properties.StreamSpecification;
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: properties.AttributeDefinitions,
    KeySchema: properties.KeySchema,
    GlobalSecondaryIndexes: properties.GlobalSecondaryIndexes,
    StreamSpecification: stream && { StreamEnabled: true, StreamViewType: stream.StreamViewType },
  };
}

async function alignTable(client: DynamoDBClient, table: TableResource, existing: TableDescription): Promise<void> {
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes = [], StreamSpecification } = table.properties;
  const differs =
    keysOf(existing.KeySchema) !== keysOf(KeySchema) ||
    existing.StreamSpecification?.StreamViewType !== StreamSpecification?.StreamViewType ||
    existing.GlobalSecondaryIndexes?.some((index) => {
      const wanted = GlobalSecondaryIndexes.find(({ IndexName }) => IndexName === index.IndexName);
      return (
        wanted === undefined ||
        keysOf(wanted.KeySchema) !== keysOf(index.KeySchema) ||
        attributesOf(wanted.Projection) !== attributesOf(index.Projection)
      );
    });
  if (differs === true) {
    throw new SetupError(
      `The keys, indexes or stream of the stored table ${table.name} differ from the template. Start over with --fresh.`,
    );
  }
  const present = new Set(existing.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  for (const index of GlobalSecondaryIndexes.filter(({ IndexName }) => !present.has(IndexName))) {
    await client.send(
      new UpdateTableCommand({
        TableName: table.name,
        AttributeDefinitions,
        GlobalSecondaryIndexUpdates: [{ Create: index }],
      }),
    );
  }
}

function attributesOf(
  projection: { ProjectionType?: string | undefined; NonKeyAttributes?: string[] | undefined } | undefined,
): string {
  return [projection?.ProjectionType, ...(projection?.NonKeyAttributes ?? []).toSorted()].join();
}

function keysOf(
  keys: readonly { AttributeName?: string | undefined; KeyType?: string | undefined }[] | undefined,
): string {
  return (keys ?? []).map((key) => `${key.KeyType} ${key.AttributeName}`).join();
}
