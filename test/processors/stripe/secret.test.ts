import { describe, expect, it } from 'vitest';
import { liveKeysOnly } from '../../../functions/processors/stripe/secret.ts';

const secretWith = (secretKey: string) =>
  JSON.stringify({ secretKey, publishableKey: 'pk_x', webhookSecret: 'whsec_x', connectWebhookSecret: 'whsec_y' });
const read = (secretKey: string) => liveKeysOnly(async () => secretWith(secretKey))();

describe("a deployed stack's secret", () => {
  it.each(['sk_live_abc', 'rk_live_abc'])('may have the key %s', async (key) => {
    expect(await read(key)).toBe(secretWith(key));
  });

  it.each(['sk_test_abc', 'rk_test_abc', 'pk_live_abc', 'abc_sk_live_'])(
    'is refused with %s: patients would be told that they paid',
    async (key) => {
      const error = await read(key).catch((reason: unknown) => reason);
      expect(String(error)).toContain('needs a live key');
      expect(String(error)).not.toContain(key);
    },
  );
});
