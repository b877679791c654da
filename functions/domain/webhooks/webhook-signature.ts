import { createHmac } from 'node:crypto';
import { Fault } from '../fault.ts';
import type { RandomBytes } from '../identifier.ts';

const prefix = 'whsec_';

export function generateSigningSecret(randomBytes: RandomBytes): string {
  return prefix + Buffer.from(randomBytes(32)).toString('base64');
}

/** standardwebhooks.com, specification 1.0.0. `timestamp` is in seconds. */
export function signatureHeaders(input: {
  eventId: string;
  timestamp: number;
  body: string;
  secrets: readonly string[];
}): Record<string, string> {
  const signed = `${input.eventId}.${input.timestamp}.${input.body}`;
  const signatures = input.secrets.map((secret) => {
    return `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': input.eventId,
    'webhook-timestamp': String(input.timestamp),
    'webhook-signature': signatures.join(' '),
  };
}

/** The specification requires 24 to 64 bytes: with an empty key, anyone can sign. */
const wellFormed = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;

function keyOf(secret: string): Buffer {
  if (!wellFormed.test(secret)) throw new Fault('a signing secret is malformed');
  return Buffer.from(secret.slice(prefix.length), 'base64');
}
