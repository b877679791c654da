import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signWebhook, verifyWebhook, WebhookVerificationError, type SucceededEvent } from '../../web/client/index.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const event: SucceededEvent = {
  id: 'evt_1',
  type: 'session.payment.succeeded',
  created_at: '2026-11-20T15:47:38.075Z',
  api_version: '2026-11-20',
  livemode: false,
  practiceId: 'prc_1',
  data: {
    sessionId: 'ses_1',
    invoiceId: 'INV-1',
    amountCents: 18_250,
    status: 'succeeded',
    previousStatus: 'processing',
    sequence: 2,
    settledAt: '2026-11-20T15:47:38.075Z',
    metadata: { note: 'Zoë 山田' },
  },
};

describe('a webhook signed for a test', () => {
  it('is verified by the client and by the standardwebhooks package', () => {
    const { headers, body } = signWebhook(event, secret);
    expect(headers['content-type']).toBe('application/json');
    expect(verifyWebhook(body, headers, secret)).toEqual(event);
    expect(new Webhook(secret).verify(body, headers)).toEqual(event);
  });

  it('is refused with another body, with another secret, and ten minutes later', () => {
    const { headers, body } = signWebhook(event, secret);
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    const old = signWebhook(event, secret, { now: Date.now() - 600_000 });
    for (const refused of [
      () => verifyWebhook(`${body} `, headers, secret),
      () => verifyWebhook(body, headers, other),
      () => verifyWebhook(old.body, old.headers, secret),
    ])
      expect(refused).toThrow(WebhookVerificationError);
  });

  it('needs a whole secret', () => {
    expect(() => signWebhook(event, 'secret')).toThrow(TypeError);
  });
});
