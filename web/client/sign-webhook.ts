import type { WebhookEvent } from './events.ts';
import { keyOf, signatureOf } from './signature.ts';

export interface SignedWebhook {
  headers: Record<string, string>;
  body: string;
}

/**
 * For tests of your receiver: the request with which the service would send this event.
 * @param secret The `whsec_…` secret with which your receiver verifies it.
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
