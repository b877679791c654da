import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { generateSigningSecret, signatureHeaders } from '../../../functions/domain/webhooks/webhook-signature.ts';

const now = () => Math.floor(Date.now() / 1000);

describe('the signature', () => {
  it('is accepted by the standardwebhooks package, for any JSON body', () => {
    fc.assert(
      fc.property(fc.json(), (body) => {
        const secret = generateSigningSecret(randomBytes);
        const headers = signatureHeaders({ eventId: 'evt_1', timestamp: now(), body, secrets: [secret] });
        expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
        expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
      }),
    );
  });

  it('can be verified with the new and the old secret during a rotation, the new one first', () => {
    const [current, previous] = [generateSigningSecret(randomBytes), generateSigningSecret(randomBytes)];
    const headers = signatureHeaders({ eventId: 'evt_1', timestamp: now(), body: '{}', secrets: [current, previous] });
    for (const secret of [current, previous]) expect(() => new Webhook(secret).verify('{}', headers)).not.toThrow();
    const alone = signatureHeaders({
      eventId: 'evt_1',
      timestamp: Number(headers['webhook-timestamp']),
      body: '{}',
      secrets: [current],
    });
    expect(headers['webhook-signature']?.split(' ')[0]).toBe(alone['webhook-signature']);
  });

  // https://github.com/standard-webhooks/standard-webhooks/pull/286: anyone can forge a signature with an empty key.
  it.each([
    '',
    'whsec_',
    'whsec_ ',
    `whsec_${Buffer.alloc(23, 7).toString('base64')}`,
    `whsec_${Buffer.alloc(65, 7).toString('base64')}`,
    ` whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    Buffer.alloc(32, 7).toString('base64'),
    `whsec_${'-'.repeat(44)}`,
  ])('is not made with the secret %j', (secret) => {
    const sign = () =>
      signatureHeaders({
        eventId: 'evt_1',
        timestamp: now(),
        body: '{}',
        secrets: [generateSigningSecret(randomBytes), secret],
      });
    expect(sign).toThrow('a signing secret is malformed');
  });

  it.each([24, 32, 64])('may be made with a secret of %i bytes', (size) => {
    const secret = `whsec_${randomBytes(size).toString('base64')}`;
    expect(() =>
      new Webhook(secret).verify(
        '{}',
        signatureHeaders({ eventId: 'evt_1', timestamp: now(), body: '{}', secrets: [secret] }),
      ),
    ).not.toThrow();
  });

  it('is made with a new secret of 32 bytes', () => {
    expect(Buffer.from(generateSigningSecret(randomBytes).replace('whsec_', ''), 'base64')).toHaveLength(32);
  });
});
