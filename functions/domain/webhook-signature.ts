import { createHmac } from 'node:crypto';
import type { RandomBytes } from './identifier.ts';

const prefix = 'whsec_';

/** A new signing secret: `whsec_` and the base64 of 32 random bytes. */
export function generateSigningSecret(randomBytes: RandomBytes): string {
  return prefix + Buffer.from(randomBytes(32)).toString('base64');
}

/**
 * The three headers of Standard Webhooks for one attempt (standardwebhooks.com, specification 1.0.0).
 * `timestamp` is in seconds and fresh for each attempt; one signature a secret, the current one first.
 */
export function signatureHeaders(input: { eventId: string; timestamp: number; body: string; secrets: readonly string[] }): Record<string, string> {
  const signed = `${input.eventId}.${input.timestamp}.${input.body}`;
  const signatures = input.secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': input.eventId,
    'webhook-timestamp': String(input.timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
