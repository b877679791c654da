import * as z from 'zod/mini';

const error = z.object({ code: z.nullish(z.string()), network_decline_code: z.nullish(z.string()) });
const charge = z.object({
  created: z.int(),
  disputed: z.boolean(),
  amount_refunded: z.int(),
  payment_method_details: z.nullish(
    z.object({
      us_bank_account: z.nullish(
        z.object({
          mandate: z.nullish(z.string()),
          payment_reference: z.nullish(z.string()),
          routing_number: z.nullish(z.string()),
        }),
      ),
    }),
  ),
  /** A destination charge's transfer to the practice's account. */
  transfer: z.nullish(z.string()),
});

export const paymentIntent = z.object({
  id: z.string(),
  status: z.enum([
    'canceled',
    'processing',
    'requires_action',
    'requires_capture',
    'requires_confirmation',
    'requires_payment_method',
    'succeeded',
  ]),
  created: z.int(),
  last_payment_error: z.nullish(error),
  cancellation_reason: z.nullish(z.string()),
  /** Only an id unless expanded. */
  latest_charge: z.nullish(z.union([z.string(), charge])),
});
export type PaymentIntent = z.infer<typeof paymentIntent>;

export const paymentIntents = z.object({ data: z.array(paymentIntent) });

export function chargeOf({ latest_charge: expanded }: PaymentIntent): z.infer<typeof charge> | undefined {
  return typeof expanded === 'object' && expanded ? expanded : undefined;
}

const dispute = z.object({ status: z.string(), reason: z.string() });
export type Dispute = z.infer<typeof dispute>;
export const disputes = z.object({ data: z.array(dispute) });
