import { methodNotAllowed, Problem, routeNotFound } from '../contract/problems.ts';
import { methodsOf } from '../http/methods-of.ts';
import { responder } from '../http/route-handler.ts';

export const handler = responder({ ...routeNotFound, ...methodNotAllowed }, async ({ rawPath }) => {
  const allow = methodsOf(methodsByPath, rawPath).join(', ');
  if (allow === '') throw new Problem('route_not_found', 'Check the path.');
  throw new Problem('method_not_allowed', 'Use a method from the `Allow` header.', { headers: { allow } });
});
