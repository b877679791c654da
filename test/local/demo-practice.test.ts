import { expect, test } from 'vitest';
import { issueFirstKey } from '../../bin/local/demo-practice.ts';
import { createPractice } from '../../functions/practices/create.ts';
import { listKeys } from '../../functions/practices/keys.ts';
import { recordSuccess } from '../../functions/store/webhooks/endpoint-health.ts';
import { requireEndpoint } from '../../functions/webhooks/requirements.ts';
import { practiceTools } from '../practices/a-practice.ts';
import { author } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';

const tables = await startTestTables();

test('the demo practice gets its first key although another Stripe says that its account is not ready', async () => {
  const tools = { ...practiceTools(tables, 'live'), sendDeliveries: async () => undefined };
  const contact = { supportPhone: '+1 555 010 0100', webhookUrl: 'https://hooks.example.com/' };
  const { practiceId, endpointId = '' } = await createPractice(
    tools,
    { author, name: 'Lakeside', ...contact },
    Date.now(),
  );
  await recordSuccess(tables.database, await requireEndpoint(tables.database, { practiceId, endpointId }), Date.now());
  expect(await issueFirstKey(tools, { practiceId, endpointId })).toMatch(/^pip_live_/);
  expect((await listKeys(tools, { practiceId })).keys).toMatchObject([{ name: 'First key' }]);
});
