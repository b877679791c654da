import { createHmac, timingSafeEqual } from 'node:crypto';
import { minute, second } from '../../domain/time.ts';
import type { ReadSecret } from '../../messages/secrets.ts';
import { requireSecret } from './secret.ts';

const tolerance = 5 * minute;

export interface SignedBody {
  readonly body: Buffer;
  /** `Stripe-Signature`. */
  readonly signature: string;
}

export type CheckSignature = (signed: SignedBody, now: number) => Promise<boolean>;

/** Accepts the signing secrets of our platform and of Connect. If none matches, reads them again, at most once a minute. */
export function signatureChecker(readSecret: ReadSecret): CheckSignature {
  let readAgainAt = -Infinity;

  async function check(signed: SignedBody, now: number, options?: { again: true }): Promise<boolean> {
    const { webhookSecret, connectWebhookSecret } = requireSecret(await readSecret(options));
    return isSigned(signed, [webhookSecret, connectWebhookSecret].flat(), now);
  }

  return async (signed, now) => {
    if (await check(signed, now)) return true;
    if (now < readAgainAt) return false;
    readAgainAt = now + minute;
    return check(signed, now, { again: true });
  };
}

function isSigned({ body, signature }: SignedBody, secrets: readonly string[], now: number): boolean {
  const parts = signature.split(',').map((part) => part.split('=', 2));
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp) * second) > tolerance) return false;
  const signatures = parts.flatMap(([name, value = '']) => (name === 'v1' ? [Buffer.from(value, 'hex')] : []));
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
    return signatures.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
  });
}
