import { createHmac } from 'node:crypto';

/** Standard Webhooks 1.0.0. `timestamp` is in seconds. */
export function signatureOf(key: Buffer, id: string, timestamp: string, body: string | Uint8Array): Buffer {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}

/** 24 to 64 bytes by specification: with an empty key anyone can sign. */
export function keyOf(secret: string): Buffer {
  if (!/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(secret)) throw new TypeError('A webhook secret is malformed.');
  return Buffer.from(secret.slice('whsec_'.length), 'base64');
}
