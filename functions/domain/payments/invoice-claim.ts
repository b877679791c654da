import * as z from 'zod/mini';

export const invoiceClaim = z.object({ claimId: z.string(), sessionId: z.string() });
