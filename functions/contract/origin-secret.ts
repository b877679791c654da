import * as z from 'zod/mini';
import type { Problems } from './problems.ts';

/** Sent by the pages' distributions, so that nobody can bypass them. */
export const originSecretHeader = 'x-origin-secret';

/** API Gateway allows no space in a stage variable. */
export const originSecretSeparator = ',';

/** Variables of the stage, which API Gateway adds to each event. */
export const stageVariables = z.object({
  /** What the distributions send now, and what they send after the next rotation. */
  originSecrets: z.optional(z.string().check(z.regex(/^\w+(,\w+)*$/))),
});
export type StageVariables = z.infer<typeof stageVariables>;

export const wrongHost = {
  wrong_host: { status: 403, title: "The route answers only at its page's address." },
} as const satisfies Problems;
