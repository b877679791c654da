import * as z from 'zod/mini';

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
