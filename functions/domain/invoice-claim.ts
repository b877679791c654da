import * as z from 'zod/mini';

/** The session that is paying, or has paid, an invoice. */
export const invoiceClaim = z.object({ claimId: z.string(), sessionId: z.string() });

export type InvoiceBlock = 'invoice_already_paid' | 'payment_in_progress';
