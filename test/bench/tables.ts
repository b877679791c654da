import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../../lib/build/synthesize.ts';
import { startDynamoDb } from '../../lib/local/dynoxide.ts';
import { readStack } from '../../lib/local/template.ts';
import { connect } from '../../functions/store/database.ts';
import { dynamoDb } from '../../functions/store/dynamodb.ts';
import { awsConfig } from '../support/answered-client.ts';
import { createTablesAt } from '../support/tables.ts';
import { meterDynamoDb } from './dynamodb-meter.ts';

/** Keeps the tables in a file, as a local run does. */
export async function startBenchTables() {
  const directory = await mkdtemp(join(tmpdir(), 'payment-bench-'));
  const { template } = await synthesize({ stage: 'sandbox', local: true, outdir: join(directory, 'assembly') });
  const dynamo = await startDynamoDb(directory);
  return {
    ...(await createTablesAt(dynamo.endpoint, readStack(template, { queueUrl: () => '', hosts: new Map() }))),
    async stop() {
      await dynamo.stop();
      await rm(directory, { recursive: true });
    },
  };
}

/** The same tables behind a meter of the capacity that each call consumes. Ends with the caller's scope. */
export async function startMeteredTables() {
  await using cleanup = new AsyncDisposableStack();
  const tables = await startBenchTables();
  cleanup.defer(() => tables.stop());
  const meter = await meterDynamoDb(tables.endpoint);
  cleanup.defer(() => meter.stop());
  const database = connect(tables.database.tables, dynamoDb(awsConfig(meter.endpoint)));
  const owned = cleanup.move();
  return { meter, database, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
