import { useEffect, useState } from 'preact/hooks';
import type { ApiProblem, Answer } from './api.ts';

interface Page<Item> {
  readonly data: readonly Item[];
  readonly nextCursor: string | null;
}

export interface Pages<Item> {
  readonly items: readonly Item[];
  readonly loading: boolean;
  readonly problem: ApiProblem | undefined;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  readonly retry: () => void;
  readonly update: (change: (item: Item) => Item) => void;
}

interface Shown<Item> {
  readonly key: string;
  readonly items: readonly Item[];
  readonly cursor: string | null | undefined;
  readonly problem?: ApiProblem;
}

/** A list that is read one page at a time. `key` identifies the list: a new key starts over. */
export function usePages<Item>(
  key: string,
  load: (cursor: string | null | undefined, signal: AbortSignal) => Promise<Answer<Page<Item>>>,
): Pages<Item> {
  const [shown, setShown] = useState<Shown<Item>>({ key, items: [], cursor: undefined });
  const [asked, setAsked] = useState(0);
  const current: Shown<Item> = shown.key === key ? shown : { key, items: [], cursor: undefined };
  const [loading, setLoading] = useState(true);

  useEffect(() => {
    const aborted = new AbortController();
    void (async () => {
      setLoading(true);
      let { items, cursor } = current;
      // A page can be empty before the last one.
      const before = items.length;
      let problem: ApiProblem | undefined;
      do {
        const answer = await load(cursor, aborted.signal);
        if (aborted.signal.aborted) return;
        if (!answer.ok) {
          problem = answer.problem;
          break;
        }
        items = [...items, ...answer.value.data];
        cursor = answer.value.nextCursor;
      } while (cursor !== null && items.length === before);
      setShown({ key, items, cursor, ...(problem && { problem }) });
      setLoading(false);
    })();
    return () => aborted.abort();
  }, [key, asked]);

  const again = () => setAsked((count) => count + 1);
  return {
    items: current.items,
    loading: loading || shown.key !== key,
    problem: current.problem,
    hasMore: typeof current.cursor === 'string',
    loadMore: again,
    retry: again,
    update: (change) => setShown((last) => ({ ...last, items: last.items.map(change) })),
  };
}
