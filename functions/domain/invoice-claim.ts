import * as z from 'zod/mini';

/** Names the session that is paying, or has paid, an invoice. */
export const invoiceClaim = z.object({ claimId: z.string(), sessionId: z.string() });

/** Why an invoice cannot be paid by another session. */
export type InvoiceBlock = 'invoice_already_paid' | 'payment_in_progress';
