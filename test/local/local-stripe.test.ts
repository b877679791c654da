import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPractice } from '../../functions/practices/create.ts';
import { parseApiKey } from '../../functions/domain/practices/api-key.ts';
import { listKeys, revokeKey, rotateKey } from '../../functions/practices/keys.ts';
import { rotateSecret } from '../../functions/webhooks/signing-secrets.ts';
import { recordSuccess } from '../../functions/store/webhooks/endpoint-health.ts';
import { requireEndpoint } from '../../functions/webhooks/requirements.ts';
import { findDepositAccount, startLocalStripe } from '../../bin/local/stripe.ts';
import { findDemo, issueFirstKey } from '../../bin/local/demo-practice.ts';
import { readStackFile, setStackFileAside, writeStackFile } from '../../bin/practice/files.ts';
import { practiceTools } from '../practices/a-practice.ts';
import { author } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'local-stripe-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const start = (environment: NodeJS.ProcessEnv, fresh = false) =>
  startLocalStripe({ dataDir, fresh, port: 0, notifyUrl: 'http://127.0.0.1:9/' }, environment);

const other = {
  STRIPE_API_BASE: 'http://127.0.0.1:12111',
  STRIPE_SECRET_KEY: 'sk_test_other',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_other',
  STRIPE_WEBHOOK_SECRET: 'whsec_other',
};

test("the stand-in keeps the practice's account over a restart, but no key, and forgets it when started afresh", async () => {
  const first = await start({});
  const { id, charges_enabled: ready } = await findDepositAccount(first, undefined);
  expect(ready).toBe(true);
  await first.stop();
  expect(readFileSync(join(dataDir, 'stripe.json'), 'utf8')).not.toMatch(/sk_live|whsec/);

  const second = await start({});
  expect((await findDepositAccount(second, id)).id).toBe(id);
  await second.stop();

  const third = await start({}, true);
  expect((await findDepositAccount(third, id)).id).not.toBe(id);
  await third.stop();
});

test('variables can name another Stripe, whose keys are not stored', async () => {
  const { isStandIn, apiBase, secret } = await start(other);
  expect({ isStandIn, apiBase }).toEqual({ isStandIn: false, apiBase: other.STRIPE_API_BASE });
  expect(JSON.parse(secret)).toEqual({
    secretKey: 'sk_test_other',
    publishableKey: 'pk_test_other',
    webhookSecret: 'whsec_other',
    connectWebhookSecret: 'whsec_other',
  });
  expect(existsSync(join(dataDir, 'stripe.json'))).toBe(false);
});

test("without an address, it is Stripe's own test mode", async () => {
  const { STRIPE_API_BASE: _base, ...keys } = other;
  expect(await start(keys)).toMatchObject({
    apiBase: 'https://api.stripe.com',
    scriptUrl: 'https://js.stripe.com/v3/',
  });
});

test('a live Stripe key and an incomplete set of variables are refused', async () => {
  for (const base of ['', 'https://api.stripe.com', 'https://api.stripe.com.'])
    await expect(start({ ...other, STRIPE_API_BASE: base, STRIPE_SECRET_KEY: 'sk_live_real' })).rejects.toThrow(
      'a live key moves money',
    );
  await expect(start({ ...other, STRIPE_WEBHOOK_SECRET: '' })).rejects.toThrow('STRIPE_WEBHOOK_SECRET');
  await expect(start({ STRIPE_PUBLISHABLE_KEY: 'pk_test_other' })).rejects.toThrow('STRIPE_SECRET_KEY');
});

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

const webhookUrl = 'http://127.0.0.1:4004/webhooks';

/** The practice of a run that has ended. */
async function startedBefore(tools: Parameters<typeof findDemo>[0]) {
  const { apiKey = '', ...created } = await findDemo(tools, dataDir, webhookUrl);
  const practice = { ...created, apiKey };
  const urls = { apiUrl: '', hostedUrl: '', dashboardUrl: '', docsUrl: '' };
  await writeStackFile(dataDir, { ...urls, dashboardUsers: [], practice });
  setStackFileAside(dataDir);
  return practice;
}

test('the next run finds no stack.json, and the same demo practice, although a run failed in between', async () => {
  const tools = { ...practiceTools(tables), allowLoopbackWebhooks: true };
  const practice = await startedBefore(tools);
  setStackFileAside(dataDir);
  expect(await readStackFile(dataDir)).toBeUndefined();
  expect(await findDemo(tools, dataDir, webhookUrl)).toEqual(practice);
});

test.each(['revoked', 'rotated'])(
  'after its key was %s and its secret rotated, the demo practice has a new key and the new secret',
  async (ended) => {
    const tools = { ...practiceTools(tables), allowLoopbackWebhooks: true };
    const { practiceId, endpointId, apiKey: old } = await startedBefore(tools);
    const key = { practiceId, keyId: parseApiKey(old)?.keyId ?? '', author };
    if (ended === 'revoked') await revokeKey(tools, key, Date.now());
    else await rotateKey(tools, { ...key, end: '7d' }, Date.now());
    const rotation = { practiceId, endpointId, author, keepOldHours: 0 };
    const { signingSecret } = await rotateSecret(tools, rotation, Date.now());

    const { apiKey = '', ...found } = await findDemo(tools, dataDir, webhookUrl);
    expect(found).toMatchObject({ practiceId, endpointId, signingSecret });
    const { keys } = await listKeys(tools, { practiceId });
    const added = keys.find(({ keyId }) => keyId === parseApiKey(apiKey)?.keyId);
    expect(added).toMatchObject({ name: 'Demo key' });
    expect(added).not.toHaveProperty('revokedAt');
    expect(added).not.toHaveProperty('expiresAt');
  },
);
