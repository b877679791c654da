/** `npm run release`: stores what later releases are compared with, and says in words what this one does to the last. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand, ScanCommand, type AttributeValue } from '@aws-sdk/client-dynamodb';
import { stop as stopBuilding } from 'esbuild';
import { issueFirstKey, seedUsers, startDemo } from '../../bin/local/demo-practice.ts';
import { operatorFileOf } from '../../bin/practice/files.ts';
import { openLocal } from '../../bin/practice/stack.ts';
import { synthesize } from '../../lib/build/synthesize.ts';
import { wordsOf } from '../../lib/deploy/review/words.ts';
import { startLocalStack, type LocalStack } from '../../lib/local/stack.ts';
import { stackNames } from '../../lib/settings/stage.ts';
import service from '../../package.json' with { type: 'json' };
import { createPaymentClient } from '../../web/client/index.ts';
import { awsConfig } from '../support/answered-client.ts';
import { apps } from '../support/apps.ts';
import { synthesizeWith } from '../support/synthesize-app.ts';
import { changesBetween, comparable, refusals, type Resources } from './compare.ts';
import { releasedResources, releases } from './templates.ts';

const { version } = service;
const folder = await mkdtemp(join(tmpdir(), 'payment-release-'));
const [last] = (await readdir(releases))
  .filter((each) => each !== version)
  .sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
try {
  await mkdir(join(releases, version), { recursive: true });
  for (const stage of ['sandbox', 'production'] as const) {
    await synthesizeWith(apps[`app-${stage}`], join(folder, stage));
    const template = await readFile(join(folder, stage, `${stackNames[stage]}.template.json`), 'utf8');
    const resources = comparable(JSON.parse(template) as { Resources: Resources });
    await writeLines(`${stage}.jsonl`, Object.entries(resources));
    if (last === undefined) continue;
    const released = await releasedResources(last, stage);
    console.log(`${stage}, from ${last} to ${version}:`);
    for (const line of wordsOf(changesBetween(released, resources))) console.log(`  ${line}`);
    for (const refusal of refusals(released, resources)) console.log(`  NOT IN ONE DEPLOY  ${refusal}`);
  }
  await writeLines('rows.jsonl', await writtenRows());
  console.log(`Stored in ${join(releases, version)}, ${last ? `compared with ${last}` : 'the first release'}.`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function writeLines(name: string, lines: readonly unknown[]): Promise<void> {
  await writeFile(join(releases, version, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** What a practice's sessions leave in the tables of a sandbox, preceded by what a test must know about them. */
async function writtenRows(): Promise<unknown[]> {
  const source = await synthesize({ stage: 'sandbox', local: true, outdir: join(folder, 'local') });
  await stopBuilding();
  await using cleanup = new AsyncDisposableStack();
  const dataDir = join(folder, 'data');
  const stack = await startLocalStack({ ...source, dataDir, firstPort: 0 });
  cleanup.defer(() => stack.stop());
  const operated = openLocal(operatorFileOf(stack));
  const { practice, receiver } = await startDemo(operated, dataDir, 4904);
  cleanup.defer(() => receiver.stop());
  const { practiceId } = practice;
  const apiKey = practice.apiKey ?? (await issueFirstKey(operated, practice));
  await seedUsers(stack, operated, practiceId, Date.now());
  const client = createPaymentClient({ apiUrl: stack.apiUrl, apiKey });
  const statuses: Record<string, string> = {};
  for (const user of ['user_good', 'user_insufficient_funds', 'user_stuck', undefined] as const) {
    const patient = { firstName: 'Ada', lastName: 'Okafor' };
    const { sessionId } = await client.sessions.create({
      invoiceId: `INV-${user ?? 'open'}`,
      amountCents: 18250,
      patient,
    });
    if (user) await client.sandbox.simulate(sessionId, user);
    statuses[sessionId] = (await client.sessions.get(sessionId)).status;
  }
  // Waits for the webhooks of the last session.
  await wait(20_000);
  return [{ practiceId, apiKey, statuses }, ...(await rowsOf(stack))];
}

async function rowsOf({ environment }: LocalStack) {
  const client = new DynamoDBClient(awsConfig(environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? ''));
  const { TableNames = [] } = await client.send(new ListTablesCommand());
  const rows: [table: string, row: Record<string, AttributeValue>][] = [];
  for (const TableName of TableNames.sort()) {
    const { Items = [] } = await client.send(new ScanCommand({ TableName, ConsistentRead: true }));
    rows.push(...Items.map((row): (typeof rows)[number] => [TableName, row]));
  }
  client.destroy();
  return rows;
}
