import type { Problems } from './problems.ts';

/** The distributions of the pages send it, so that nobody can walk around them and what they check. */
export const originSecretHeader = 'x-origin-secret';

export const wrongHost = {
  wrong_host: { status: 403, title: "The route answers only at its page's address." },
} as const satisfies Problems;
