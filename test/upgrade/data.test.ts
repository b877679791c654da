import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand, type AttributeValue } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorFileOf } from '../../bin/practice/files.ts';
import { openLocal, type OperatedStack } from '../../bin/practice/stack.ts';
import { startLocalStack, type LocalStack } from '../../lib/local/stack.ts';
import { getCheckedEvidence } from '../../functions/payments/proof.ts';
import { exportPractice } from '../../functions/practices/export.ts';
import { createPaymentClient } from '../../web/client/index.ts';
import { awsConfig } from '../support/answered-client.ts';
import { author } from '../support/create-practice.ts';
import { sandboxAssembly } from '../support/built.ts';
import { readLines, releases } from './templates.ts';

interface Known {
  readonly practiceId: string;
  readonly apiKey: string;
  readonly statuses: Readonly<Record<string, string>>;
}

/** What an export reads, and the name that identifies a row of it. */
const exportedTables = {
  sessions: { table: 'Sessions', key: ['sessionId'] },
  evidence: { table: 'Authorizations', key: ['sessionId'] },
  events: { table: 'Events', key: ['eventId'] },
  deliveries: { table: 'Deliveries', key: ['eventId', 'endpointId'] },
  webhookEndpoints: { table: 'WebhookEndpoints', key: ['endpointId'] },
  apiKeys: { table: 'ApiKeys', key: ['keyId'] },
  members: { table: 'Members', key: ['userId'] },
};

describe.each(await readdir(releases))('what %s wrote', (version) => {
  let dataDir: string;
  let stack: LocalStack;
  let operated: OperatedStack;
  let known: Known;
  let rows: [table: string, row: Record<string, AttributeValue>][];

  beforeAll(async () => {
    const [first, ...others] = await readLines(version, 'rows.jsonl');
    known = first as Known;
    rows = others as typeof rows;
    dataDir = await mkdtemp(join(tmpdir(), 'payment-upgrade-'));
    // The tables' policies are left out, because they let nobody put evidence back.
    stack = await startLocalStack({ ...(await sandboxAssembly()), dataDir, firstPort: 0 });
    operated = openLocal(operatorFileOf(stack));
    const client = new DynamoDBClient(awsConfig(stack.environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? ''));
    for (const [TableName, Item] of rows) await client.send(new PutItemCommand({ TableName, Item }));
    client.destroy();
  });
  afterAll(async () => {
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('is read by an export, every row of it', async () => {
    const exported = await exportPractice(operated, { practiceId: known.practiceId, author }, Date.now());
    for (const [list, { table, key }] of Object.entries(exportedTables)) {
      const written = rows
        .filter(([name]) => name.startsWith(`Data${table}`))
        .map(([, row]) => key.map((name) => row[name]?.S).join());
      const ids: string[] = [];
      for await (const page of exported[list] ?? [])
        for (const row of page) ids.push(key.map((name) => (row as Record<string, unknown>)[name]).join());
      // The stack itself adds rows, as when a link ends.
      expect(ids.filter((id) => written.includes(id)).sort(), list).toEqual(written.sort());
    }
  });

  test('is served to its practice, whose key still works', async () => {
    const client = createPaymentClient({ apiUrl: stack.apiUrl, apiKey: known.apiKey });
    for (const [sessionId, status] of Object.entries(known.statuses)) {
      // A link that nobody has opened expires.
      const expected = status === 'pending' ? ['pending', 'expired'] : [status];
      expect(expected).toContain((await client.sessions.get(sessionId)).status);
    }
    const patient = { firstName: 'Grace', lastName: 'Diaz' };
    const { sessionId } = await client.sessions.create({ invoiceId: 'INV-new', amountCents: 500, patient });
    expect((await client.sandbox.simulate(sessionId, 'user_good')).status).toBe('succeeded');
  });

  test('proves what a patient authorized', async () => {
    const [sessionId = ''] = Object.entries(known.statuses).find(([, status]) => status === 'succeeded') ?? [];
    expect(await getCheckedEvidence(operated, { sessionId })).toMatchObject({
      text: expect.any(String) as string,
    });
  });
});
