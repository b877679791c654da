import { noBody, type Route } from '../contract/routes.ts';
import * as z from 'zod/mini';
import { endpoint } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';

const anyRoute = { method: 'GET', path: '$default', body: noBody, status: 200, response: z.never() } satisfies Route;

/** Answers whatever no other route does. */
export const handler = endpoint(
  anyRoute,
  async () => {
    throw new Problem('route_not_found', 'Check the method and the path.');
  },
  async () => {
    throw new Error('unreachable: every caller has been refused');
  },
);
