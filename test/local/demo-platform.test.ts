import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findDemoPlatform } from '../../bin/local/demo-platform.ts';
import { setStackFileAside, writeStackFile } from '../../bin/practice/files.ts';
import { parseApiKey } from '../../functions/domain/practices/api-key.ts';
import { listKeys, revokeKey } from '../../functions/practices/keys.ts';
import { showPlatform } from '../../functions/practices/platforms.ts';
import { getSigningSecret } from '../../functions/webhooks/signing-secrets.ts';
import { deleteEndpoint, listEndpoints } from '../../functions/webhooks/webhook-endpoints.ts';
import { practiceTools } from '../practices/a-practice.ts';
import { author } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';

const tables = await startTestTables();
const tools = { ...practiceTools(tables), allowLoopbackWebhooks: true };
const webhookUrl = 'http://127.0.0.1:4004/platform';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'demo-platform-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** The platform of a run that has ended. */
async function startedBefore() {
  const platform = await findDemoPlatform(tools, { dataDir, webhookUrl, wanted: true });
  if (!platform) throw new Error('there is no platform');
  const urls = { apiUrl: '', hostedUrl: '', dashboardUrl: '', docsUrl: '' };
  const practice = {
    practiceId: '',
    apiKey: '',
    webhookUrl: '',
    signingSecret: '',
    endpointId: '',
    testBankCredentials: [],
  };
  await writeStackFile(dataDir, { ...urls, dashboardUsers: [], practice, platform });
  setStackFileAside(dataDir);
  return platform;
}

test('there is no demo platform until one is asked for', async () => {
  expect(await findDemoPlatform(tools, { dataDir, webhookUrl, wanted: false })).toBeUndefined();
});

test('the demo platform has two practices, a key for all that it can do, and an endpoint that hears of its practices', async () => {
  const { platformId, apiKey, endpointId, practices } = await startedBefore();
  const shown = await showPlatform(tools, { platformId });
  expect(shown.practices.map(({ practiceId }) => practiceId)).toEqual(practices.map((each) => each.practiceId).sort());
  expect(practices).toHaveLength(2);
  const { keys } = await listKeys(tools, { practiceId: platformId });
  const granted = expect.arrayContaining(['sessions:write', 'practices:write', 'webhooks:write']);
  const its = { keyId: parseApiKey(apiKey)?.keyId, name: 'Demo key', scopes: granted };
  expect(keys).toContainEqual(expect.objectContaining(its));
  const { endpoints } = await listEndpoints(tools, { practiceId: platformId });
  expect(endpoints).toMatchObject([{ endpointId, url: webhookUrl }]);
  expect(endpoints[0]?.eventTypes).toContain('practice.joined');
});

test('the next run keeps it without being asked, on other ports, with a new key if the old one was revoked', async () => {
  const { apiKey, ...before } = await startedBefore();
  const { platformId: practiceId, endpointId } = before;
  const moved = { dataDir, webhookUrl: 'http://127.0.0.1:5004/platform', wanted: false };
  const found = { ...before, webhookUrl: moved.webhookUrl };
  expect(await findDemoPlatform(tools, moved)).toEqual({ ...found, apiKey });
  expect(await getSigningSecret(tools, { practiceId, endpointId })).toBe(before.signingSecret);
  await revokeKey(tools, { practiceId, keyId: parseApiKey(apiKey)?.keyId ?? '', author }, Date.now());
  const again = await findDemoPlatform(tools, moved);
  expect(again).toMatchObject(found);
  expect(again?.apiKey).not.toBe(apiKey);
});

test('a new endpoint of the next run gets the same events as the one that was deleted', async () => {
  const { platformId: practiceId, endpointId } = await startedBefore();
  const [before] = (await listEndpoints(tools, { practiceId })).endpoints;
  await deleteEndpoint(tools, { practiceId, endpointId, author }, Date.now());
  await findDemoPlatform(tools, { dataDir, webhookUrl, wanted: false });
  const { endpoints } = await listEndpoints(tools, { practiceId });
  expect(endpoints.map(({ eventTypes }) => eventTypes)).toEqual([before?.eventTypes]);
  expect(endpoints[0]?.endpointId).not.toBe(endpointId);
});
