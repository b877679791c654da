import * as z from 'zod/mini';

export const invoiceClaim = z.object({ claimId: z.string(), sessionId: z.string() });

export type InvoiceBlock = 'invoice_already_paid' | 'payment_in_progress';
