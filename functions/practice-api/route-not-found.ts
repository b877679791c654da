import { responder } from '../http/route-handler.ts';
import { Problem } from '../contract/problems.ts';

/** Answers whatever no other route does. */
export const handler = responder(async () => {
  throw new Problem('route_not_found', 'Check the method and the path.');
});
