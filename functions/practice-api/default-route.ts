import * as z from 'zod/mini';
import { Problem } from '../contract/problem.ts';
import { methodNotAllowed, routeNotFound } from '../contract/problems.ts';
import { handlerOf } from '../http/route-handler.ts';

const methods = z.parse(z.record(z.string(), z.array(z.string())), JSON.parse(methodsByPath));

export const handler = handlerOf(() => ({
  problems: { ...routeNotFound, ...methodNotAllowed },
  async respond({ rawPath, requestContext: { http } }) {
    if (/.\/$|\/\//.test(rawPath))
      throw new Problem(
        'route_not_found',
        'Remove the double slash or the slash at the end of the path. An ID in the path must not be empty.',
      );
    const allowed = methodsOf(methods, rawPath);
    // The practices' and the pages' routes have different hosts: the method exists, but on the other host.
    if (allowed.length === 0 || allowed.includes(http.method))
      throw new Problem('route_not_found', 'Check the path and the host.');
    const headers = { allow: allowed.join(', ') };
    throw new Problem('method_not_allowed', 'Use a method from the `Allow` header.', { headers });
  },
}));

/** `methodsByPath` has paths such as `/api/practice/sessions/{sessionId}/status`. */
function methodsOf(methodsByPath: Readonly<Record<string, readonly string[]>>, path: string): string[] {
  const parts = path.split('/');
  const matching = Object.entries(methodsByPath).filter(([declared]) => matches(declared.split('/'), parts));
  return [...new Set(matching.flatMap(([, methods]) => methods))].sort();
}

function matches(declared: readonly string[], parts: readonly string[]): boolean {
  return (
    declared.length === parts.length &&
    declared.every((segment, index) => (segment.startsWith('{') ? parts[index] !== '' : segment === parts[index]))
  );
}
