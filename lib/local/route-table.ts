import type { MatchedRoute } from './http-api-event.ts';

interface Route<T> {
  readonly routeKey: string;
  readonly target: T;
}

/** HTTP API order: literal, parameter, greedy; method before ANY; `$default` last. */
export function routeTable<T>(routes: readonly Route<T>[]) {
  const fallback = routes.find(({ routeKey }) => routeKey === '$default');
  const ranked = routes
    .filter((route) => route !== fallback)
    .map((route) => {
      const [method = '', path = ''] = route.routeKey.split(' ');
      return { ...route, method, segments: path.split('/').slice(1) };
    })
    .sort((a, b) => rank(a).localeCompare(rank(b)));

  return (method: string, path: string): (MatchedRoute & { target: T }) | undefined => {
    const parts = path.split('/').slice(1);
    for (const route of ranked) {
      if (route.method !== method && route.method !== 'ANY') continue;
      const pathParameters = match(route.segments, parts);
      if (pathParameters !== undefined) return { routeKey: route.routeKey, pathParameters, target: route.target };
    }
    return fallback && { routeKey: fallback.routeKey, pathParameters: {}, target: fallback.target };
  };
}

function rank({ method, segments }: { method: string; segments: readonly string[] }): string {
  const kinds = segments.map((segment) => (segment.endsWith('+}') ? 2 : segment.startsWith('{') ? 1 : 0));
  return [kinds.includes(2) ? 1 : 0, ...kinds, method === 'ANY' ? 1 : 0].join('');
}

function match(segments: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = parts[index];
    if (part === undefined) return undefined;
    if (segment.endsWith('+}')) return { ...parameters, [segment.slice(1, -2)]: parts.slice(index).join('/') };
    if (segment.startsWith('{')) {
      if (part === '') return undefined;
      parameters[segment.slice(1, -1)] = part;
    } else if (segment !== part) {
      return undefined;
    }
  }
  return parts.length === segments.length ? parameters : undefined;
}
