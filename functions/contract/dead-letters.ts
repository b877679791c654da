import * as z from 'zod/mini';

const named = { name: z.string(), queueUrl: z.url() };

export const deadLetterQueue = z.discriminatedUnion('kind', [
  z.object({ ...named, kind: z.literal('ticket'), target: z.url() }),
  z.object({ ...named, kind: z.literal('event') }),
  z.object({ ...named, kind: z.literal('none') }),
]);
export type DeadLetterQueue = z.infer<typeof deadLetterQueue>;
