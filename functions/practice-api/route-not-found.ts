import { responder } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';

/** Answers whatever no other route does. */
export const handler = responder(async () => {
  throw new Problem('route_not_found', 'Check the method and the path.');
});
