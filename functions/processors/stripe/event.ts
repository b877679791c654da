import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { minute, second } from '../../domain/time.ts';
import type { ReadSecret } from '../../messages/secrets.ts';
import { requireSecret } from './client.ts';

/** Events that can change a session. Each only prompts a look-up of the debit. */
export const debitEventTypes = [
  'payment_intent.processing',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.dispute.created',
  'charge.dispute.closed',
  'charge.refunded',
  'refund.updated',
  'refund.failed',
] as const;

/** Events of connected accounts that can change where a practice's money goes. */
export const accountEventTypes = [
  'account.updated',
  'account.external_account.created',
  'account.external_account.updated',
  'account.external_account.deleted',
] as const;

export function isAboutAccount({ type }: StripeEvent): boolean {
  return accountEventTypes.some((each) => each === type);
}

const anyEvent = z.object({ id: z.string(), type: z.string(), account: z.optional(z.string()) });

const metadata = z.nullish(
  z.object({ sessionId: z.catch(z.optional(z.string().check(z.regex(/^ses_\w{1,60}$/))), undefined) }),
);

const debitEvent = z.object({
  type: z.enum(debitEventTypes),
  data: z.object({
    object: z.discriminatedUnion('object', [
      z.object({ object: z.literal('payment_intent'), id: z.string(), metadata }),
      z.object({ object: z.enum(['charge', 'dispute', 'refund']), payment_intent: z.string(), metadata }),
    ]),
  }),
});

export interface StripeEvent {
  readonly eventId: string;
  readonly type: string;
  /** The connected account that the event happened on. */
  readonly account: string | undefined;
  /** Undefined if the event is not about a debit. */
  readonly debit: { readonly debitId: string; readonly sessionId: string | undefined } | undefined;
}

/** Undefined if the body is not an event. */
export function readEvent(body: Buffer): StripeEvent | undefined {
  return eventOf(parse(body));
}

export function eventOf(json: unknown): StripeEvent | undefined {
  const { data: event } = z.safeParse(anyEvent, json);
  if (!event) return undefined;
  const { id: eventId, type, account } = event;
  const object = z.safeParse(debitEvent, json).data?.data.object;
  if (!object) return { eventId, type, account, debit: undefined };
  const debitId = object.object === 'payment_intent' ? object.id : object.payment_intent;
  return { eventId, type, account, debit: { debitId, sessionId: object.metadata?.sessionId } };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

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
