import { useLocation } from 'preact-iso/router';
import { queryOf } from './api.ts';

interface Query {
  readonly query: URLSearchParams;
  /** Keeps the other parameters. An empty value removes its parameter. */
  readonly setQuery: (changes: Readonly<Record<string, string | readonly string[] | undefined>>) => void;
}

/** The state of a screen that can be bookmarked: filters, tabs. */
export function useQuery(): Query {
  const { url, path, route } = useLocation();
  const query = new URL(url, location.origin).searchParams;
  return {
    query,
    setQuery(changes) {
      const kept = [...new Set(query.keys())].map((name) => [name, query.getAll(name)] as const);
      const merged = Object.fromEntries([...kept, ...Object.entries(changes)]);
      const filled = Object.entries(merged).map(
        ([name, value]) => [name, [value ?? []].flat().filter((each) => each !== '')] as const,
      );
      route(path + queryOf(Object.fromEntries(filled)));
    },
  };
}
