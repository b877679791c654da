import { Problem, routeNotFound } from '../contract/problems.ts';
import { responder } from '../http/route-handler.ts';

export const handler = responder(routeNotFound, async () => {
  throw new Problem('route_not_found', 'Check the method and the path.');
});
