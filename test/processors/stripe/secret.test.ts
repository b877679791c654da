import { describe, expect, it } from 'vitest';
import { liveKeysOnly } from '../../../functions/processors/stripe/secret.ts';

const secretWith = (secretKey: string, publishableKey = 'pk_live_x') =>
  JSON.stringify({ secretKey, publishableKey, webhookSecret: 'whsec_x', connectWebhookSecret: 'whsec_y' });
const read = (...keys: [string, string?]) => liveKeysOnly(async () => secretWith(...keys))();

describe("a deployed stack's secret", () => {
  it.each(['sk_live_abc', 'rk_live_abc'])('may have the key %s', async (key) => {
    expect(await read(key)).toBe(secretWith(key));
  });

  it.each(['sk_test_abc', 'rk_test_abc', 'pk_live_abc', 'abc_sk_live_'])(
    'is refused with %s: patients would be told that they paid',
    async (key) => {
      const error = await read(key).catch((reason: unknown) => reason);
      expect(String(error)).toContain('needs live keys');
      expect(String(error)).not.toContain(key);
    },
  );

  it('is refused with a test-mode publishable key, which only the bank picker would notice', async () => {
    await expect(read('sk_live_abc', 'pk_test_x')).rejects.toThrow('needs live keys');
  });
});
