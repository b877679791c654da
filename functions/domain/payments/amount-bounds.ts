import type { Mode } from '../mode.ts';

/** Live: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
export const leastCents: Readonly<Record<Mode, number>> = { sandbox: 1, live: 50 };
export const mostCents = 99_999_999;
