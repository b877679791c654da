import type { Problems } from './problems.ts';

/** Sent by the pages' distributions, so that nobody can bypass them. */
export const originSecretHeader = 'x-origin-secret';

export const wrongHost = {
  wrong_host: { status: 403, title: "The route answers only at its page's address." },
} as const satisfies Problems;
