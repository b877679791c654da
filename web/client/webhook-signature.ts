import { timingSafeEqual, createHmac } from 'node:crypto';
import type { WebhookEvent } from './events.ts';

/** The webhook is forged, altered, too old, or signed with another secret. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

interface VerifyOptions {
  /** How many milliseconds the webhook's time may differ from yours. Five minutes if absent. */
  tolerance?: number;
  /** Milliseconds since 1970. */
  now?: number;
}

type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies a webhook (Standard Webhooks 1.0.0) and returns its event.
 * @param body The raw body as received. If parsed and serialized again, it does not match the signature.
 * @param headers From `fetch` or from Node.
 * @param secrets The endpoint's `whsec_…` secret, or several while you rotate.
 * @throws {WebhookVerificationError} if it is not genuine. Answer 503, so that it is sent again if your secret is at fault.
 * @throws {TypeError} if a secret is malformed, or the body is not raw or is empty.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { tolerance = 300_000, now = Date.now() }: VerifyOptions = {},
): WebhookEvent {
  if (!isRaw(body)) throw new TypeError(`The body is parsed already. ${passRaw}`);
  if (body.length === 0) throw new TypeError(`The body is empty: it is parsed already, or was read before. ${passRaw}`);
  const keys = [secrets].flat().map(keyOf);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');

  const isRecent = /^\d{1,12}$/.test(timestamp) && Math.abs(now - Number(timestamp) * 1000) <= tolerance;
  if (!isRecent) throw new WebhookVerificationError('The webhook is too old, or a clock is wrong.');

  const expected = keys.map((key) => signatureOf(key, id, timestamp, body));
  const isGenuine = signatures.some((signature) => {
    const given = signature.startsWith('v1,') ? Buffer.from(signature.slice('v1,'.length), 'base64') : Buffer.alloc(0);
    return expected.some((each) => each.length === given.length && timingSafeEqual(each, given));
  });
  if (!isGenuine) throw new WebhookVerificationError('No signature of the webhook matches.');
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
}

const passRaw = 'Pass the raw text or bytes, as received.';

/** Checked at run time, because frameworks pass parsed bodies typed as `any`. */
function isRaw(body: unknown): boolean {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isFetchHeaders(headers) ? headers.get(name) : valueOf(headers, name);
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`The header ${name} is missing.`);
  return value;
}

/** Ignores the case of names: behind a gateway, it varies. */
function valueOf(headers: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get'] === 'function';
}

export interface SignedWebhook {
  headers: Record<string, string>;
  body: string;
}

/**
 * For testing your receiver: returns the request that the service would send for this event.
 * @param secret The `whsec_…` secret that your receiver verifies it with.
 * @param options `now`: when it is sent, in milliseconds since 1970.
 * @throws {TypeError} if the secret is malformed.
 */
export function signWebhook(
  event: WebhookEvent,
  secret: string,
  { now = Date.now() }: { now?: number } = {},
): SignedWebhook {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(now / 1000));
  const signature = signatureOf(keyOf(secret), event.id, timestamp, body).toString('base64');
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  };
}

/** Standard Webhooks 1.0.0. `timestamp` is in seconds. */
function signatureOf(key: Buffer, id: string, timestamp: string, body: string | Uint8Array): Buffer {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}

/** 24 to 64 bytes by specification: with an empty key anyone can sign. */
function keyOf(secret: string): Buffer {
  if (!/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(secret))
    throw new TypeError('A webhook secret must be all of whsec_…, without spaces or line breaks around it.');
  return Buffer.from(secret.slice('whsec_'.length), 'base64');
}
