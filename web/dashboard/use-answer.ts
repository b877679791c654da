import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { call, type ApiProblem, type Request, type Response, type RouteName } from './api.ts';

export type Loadable<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly problem: ApiProblem }
  | { readonly state: 'ready'; readonly value: Value };

interface Answered<Value> {
  readonly loaded: Loadable<Value>;
  /** Sends the request again, and keeps the current answer until the new one arrives. */
  readonly reload: () => Promise<void>;
  readonly replace: (value: Value) => void;
}

function canPass(code: ApiProblem['code']): boolean {
  return code === 'unreachable' || code === 'busy' || code === 'internal_error' || code === 'temporarily_unavailable';
}

/** The answer of a route. Sends the request again when parameters or query change. */
export function useAnswer<Name extends RouteName>(name: Name, request: Request<Name>): Answered<Response<Name>> {
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

  return {
    loaded: loaded?.key === key ? loaded.loaded : { state: 'loading' },
    reload: useCallback(() => load(), [load]),
    replace: (value) => setLoaded({ key, loaded: { state: 'ready', value } }),
  };
}
