import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { generateSigningSecret, signatureHeaders } from '../../functions/domain/webhooks/webhook-signature.ts';
import { signWebhook, verifyWebhook, WebhookVerificationError, type SucceededEvent } from '../../web/client/index.ts';

const timestamp = 1_763_000_000;
const now = timestamp * 1000;
const secret = generateSigningSecret(randomBytes);
const body = JSON.stringify({ id: 'evt_1', type: 'webhook.test', data: {}, note: 'Zoë 山田' });

const signed = (text = body, secrets: readonly string[] = [secret]) =>
  signatureHeaders({ eventId: 'evt_1', timestamp, body: text, secrets });

describe('a webhook', () => {
  it('from the service is verified and returned, whatever its body', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(verifyWebhook(text, signed(text), secret, { now })).toEqual(JSON.parse(text));
        expect(() => verifyWebhook(`${text} `, signed(text), secret, { now })).toThrow(WebhookVerificationError);
      }),
    );
  });

  it('from the standardwebhooks package is verified', () => {
    const signature = new Webhook(secret).sign('evt_1', new Date(now), body);
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
    expect(verifyWebhook(body, headers, secret, { now })).toEqual(JSON.parse(body));
  });

  it('may come as bytes, and with the headers of fetch', () => {
    const headers = new Headers(signed());
    expect(verifyWebhook(new TextEncoder().encode(body), headers, secret, { now })).toEqual(JSON.parse(body));
    expect(verifyWebhook(Buffer.from(body), headers, secret, { now })).toEqual(JSON.parse(body));
  });

  it('may come with header names in any case, as gateways pass them to functions', () => {
    const headers = Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value]));
    expect(verifyWebhook(body, headers, secret, { now })).toEqual(JSON.parse(body));
  });

  it('whose body a framework has parsed is refused with a message that says so', () => {
    expect(() => verifyWebhook(JSON.parse(body), signed(), secret, { now })).toThrow('The body is parsed already.');
  });

  it.each([
    ['text', ''],
    ['bytes', new Uint8Array()],
    ['a Buffer', Buffer.alloc(0)],
  ])('whose body was read before, so that nothing is left (%s), is refused with a message that says so', (_, empty) => {
    const verify = () => verifyWebhook(empty, signed(), secret, { now });
    expect(verify).toThrow(TypeError);
    expect(verify).toThrow('The body is empty: it is parsed already, or was read before.');
    expect(() => verifyWebhook(empty, signed(''), secret, { now })).toThrow(TypeError);
  });

  it('is accepted while a secret is rotated, on either side', () => {
    const [old, other] = [generateSigningSecret(randomBytes), generateSigningSecret(randomBytes)];
    for (const known of [secret, old, [other, old], [secret, other]])
      expect(verifyWebhook(body, signed(body, [secret, old]), known, { now }), String(known)).toBeTruthy();
    expect(() => verifyWebhook(body, signed(body, [secret, old]), other, { now })).toThrow(WebhookVerificationError);
    expect(() => verifyWebhook(body, signed(), [], { now })).toThrow(WebhookVerificationError);
  });

  it('is accepted if it also has signatures of other versions, which are ignored', () => {
    const { 'webhook-signature': signature = '', ...headers } = signed();
    const others = `v1a,${signature.slice('v1,'.length)}`;
    expect(
      verifyWebhook(body, { ...headers, 'webhook-signature': `${others} ${signature}` }, secret, { now }),
    ).toBeTruthy();
    expect(() => verifyWebhook(body, { ...headers, 'webhook-signature': others }, secret, { now })).toThrow(
      'No signature of the webhook matches.',
    );
  });

  it.each([
    ['id', { 'webhook-id': 'evt_2' }],
    ['time', { 'webhook-timestamp': String(timestamp + 1) }],
    ['signature', { 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}` }],
    ['cut signature', { 'webhook-signature': signed()['webhook-signature']?.slice(0, 20) }],
    ['empty signature', { 'webhook-signature': 'v1,' }],
    ['version', { 'webhook-signature': signed()['webhook-signature']?.replace('v1,', 'v2,') }],
  ])('with another %s is refused', (_, changed) => {
    expect(() => verifyWebhook(body, { ...signed(), ...changed }, secret, { now })).toThrow(
      'No signature of the webhook matches.',
    );
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without the header %s is refused', (name) => {
    expect(() => verifyWebhook(body, { ...signed(), [name]: undefined }, secret, { now })).toThrow(
      `The header ${name} is missing.`,
    );
    expect(() => verifyWebhook(body, new Headers(), secret, { now })).toThrow(WebhookVerificationError);
  });

  it.each([
    [-300_000, true],
    [-300_001, false],
    [300_000, true],
    [300_001, false],
  ])('%i ms away from our clock: accepted is %s', (difference, accepted) => {
    const verify = () => verifyWebhook(body, signed(), secret, { now: now + difference });
    if (accepted) expect(verify()).toBeTruthy();
    else expect(verify).toThrow('The webhook is too old, or a clock is wrong.');
  });

  it('may be older if the receiver says so', () => {
    expect(verifyWebhook(body, signed(), secret, { now: now + 600_000, tolerance: 600_000 })).toBeTruthy();
  });

  it.each(['', 'NaN', '-1', '1e9', `${timestamp}.0`, 'Infinity'])('with the time %j is refused', (time) => {
    expect(() => verifyWebhook(body, { ...signed(), 'webhook-timestamp': time }, secret, { now })).toThrow(
      WebhookVerificationError,
    );
  });

  // https://github.com/standard-webhooks/standard-webhooks/pull/286: anyone can forge a signature with an empty key.
  it.each([
    '',
    'whsec_',
    'whsec_short',
    Buffer.alloc(32).toString('base64'),
    'pip_sandbox_x',
    `${secret}\n`,
    `v1,${secret}`,
  ])('cannot be verified with the secret %j, which is the receiver’s fault', (wrong) => {
    expect(() => verifyWebhook(body, signed(), wrong, { now })).toThrow(/all of whsec_….*line breaks/);
    expect(() => verifyWebhook(body, signed(), [secret, wrong], { now })).toThrow(TypeError);
  });
});

describe('sign webhook', () => {
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
});
