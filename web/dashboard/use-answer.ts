import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import {
  call,
  isAboutSignIn,
  wasInterrupted,
  type Answer,
  type ApiProblem,
  type Request,
  type Response,
  type RouteName,
} from './api.ts';

export type Loadable<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly problem: ApiProblem }
  | { readonly state: 'ready'; readonly value: Value };

function canPass(code: ApiProblem['code']): boolean {
  return code === 'unreachable' || code === 'busy' || code === 'internal_error' || code === 'temporarily_unavailable';
}

/** The answer of a route. Sends the request again when parameters or query change. */
export function useAnswer<Name extends RouteName>(name: Name, request: Request<Name>) {
  const key = JSON.stringify([name, request]);
  const wanted = useRef(key);
  wanted.current = key;
  const [loaded, setLoaded] = useState<{ key: string; loaded: Loadable<Response<Name>> }>();

  const load = useCallback(
    async (signal?: AbortSignal) => {
      const answer = await call(name, { ...request, ...(signal && { signal }) });
      if (signal?.aborted || wanted.current !== key) return;
      setLoaded((last) => {
        if (answer.ok) return { key, loaded: { state: 'ready', value: answer.value } };
        // A failed refresh keeps the current answer.
        const kept = last?.key === key && last.loaded.state === 'ready' && canPass(answer.problem.code);
        return kept ? last : { key, loaded: { state: 'failed', problem: answer.problem } };
      });
    },
    [key],
  );

  useEffect(() => {
    const aborted = new AbortController();
    void load(aborted.signal);
    return () => aborted.abort();
  }, [load]);

  const current: Loadable<Response<Name>> = loaded?.key === key ? loaded.loaded : { state: 'loading' };
  return {
    loaded: current,
    value: current.state === 'ready' ? current.value : undefined,
    /** Sends the request again, and keeps the current answer until the new one arrives. */
    reload: useCallback(() => load(), [load]),
    replace: (value: Response<Name>) => setLoaded({ key, loaded: { state: 'ready', value } }),
  };
}

/** The problem of a request. If a sign-in interrupted it, the problem is that it is not done yet. `again` says how to do it. */
export function useProblem(route: RouteName, again: string) {
  return useState<ApiProblem | undefined>(() =>
    wasInterrupted(route) ? { code: 'interrupted', title: `Not done yet. ${again}` } : undefined,
  );
}

export function useAction(route: RouteName, action: string) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useProblem(route, `Press “${action}”.`);
  return {
    busy,
    problem,
    /** Sends a request, and then calls `done` unless it was refused. */
    async run<Value>(send: () => Promise<Answer<Value>>, done: (value: Value) => unknown) {
      setBusy(true);
      setProblem(undefined);
      const answer = await send();
      if (answer.ok) await done(answer.value);
      // The sign-in dialog is on top of everything.
      else if (!isAboutSignIn(answer.problem.code)) setProblem(answer.problem);
      setBusy(false);
    },
  };
}

interface Page<Item> {
  readonly data: readonly Item[];
  readonly nextCursor: string | null;
}

export interface Pages<Item> {
  readonly items: readonly Item[];
  readonly loading: boolean;
  readonly problem: ApiProblem | undefined;
  readonly hasMore: boolean;
  /** Requests the next page, or retries one that failed. */
  readonly loadMore: () => void;
  readonly keyOf: (item: Item) => string;
  /** Keeps the items, but replaces those that the answer has. */
  readonly refresh: (answer: Answer<Pick<Page<Item>, 'data'>>) => void;
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
  keyOf: (item: Item) => string,
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

  return {
    items: current.items,
    loading: loading || shown.key !== key,
    problem: current.problem,
    hasMore: typeof current.cursor === 'string',
    loadMore: () => setAsked((count) => count + 1),
    keyOf,
    refresh: (answer) => {
      if (!answer.ok) return;
      const fresh = new Map(answer.value.data.map((item) => [keyOf(item), item]));
      setShown((last) => ({ ...last, items: last.items.map((item) => fresh.get(keyOf(item)) ?? item) }));
    },
  };
}
