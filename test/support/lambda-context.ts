import type { Context } from 'aws-lambda';

/** What a route uses of it. */
export const lambdaContext = (remaining = 10_000) => ({ getRemainingTimeInMillis: () => remaining }) as Context;
