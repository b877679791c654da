import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { expect, test } from 'vitest';
import { secretReader } from '../../functions/messages/secrets.ts';
import { liveKeysOnly, requireSecret } from '../../functions/processors/stripe/client.ts';
import { answered } from '../support/answered-client.ts';

const config = { region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
const readerOf = (SecretString: string) =>
  secretReader('a-secret', answered(new SecretsManagerClient(config), () => ({ SecretString })).client);

test.each(['client-secret\n', ' client-secret', '\tclient-secret\r\n', '\ufeffclient-secret'])(
  'a secret is read without white space at its ends: %j',
  async (text) => {
    expect(await readerOf(text)()).toBe('client-secret');
  },
);

test('a secret of white space is none', async () => {
  await expect(readerOf(' \n')()).rejects.toThrow('the secret a-secret has no text');
});

const stripe = (secretKey: string) =>
  JSON.stringify({
    secretKey,
    publishableKey: 'pk_live_1\n',
    webhookSecret: ' whsec_1',
    connectWebhookSecret: ['whsec_2\n'],
  });

test("the processor's keys and signing secrets are read without white space at their ends", async () => {
  const json = await liveKeysOnly(readerOf(stripe('sk_live_1\r\n')))();
  expect(requireSecret(json)).toEqual({
    secretKey: 'sk_live_1',
    publishableKey: 'pk_live_1',
    webhookSecret: 'whsec_1',
    connectWebhookSecret: ['whsec_2'],
  });
});

test("the processor's keys have no white space inside", () => {
  expect(() => requireSecret(stripe('sk_live_1\nsk_live_2'))).toThrow('does not have the expected fields');
});
