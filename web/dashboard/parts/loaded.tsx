import type { ComponentChildren } from 'preact';
import type { Loadable } from '../use-answer.ts';
import { ProblemNotice } from './notice.tsx';

interface LoadedProps<Value> {
  readonly of: { readonly loaded: Loadable<Value>; readonly reload: () => Promise<void> };
  readonly children: (value: Value) => ComponentChildren;
}

/** Shows "Loading…" until there is an answer, then the content or a problem that can be retried. */
export function Loaded<Value>({ of: { loaded, reload }, children }: LoadedProps<Value>) {
  switch (loaded.state) {
    case 'loading':
      return <Loading />;
    case 'failed':
      return <ProblemNotice problem={loaded.problem} retry={() => void reload()} />;
    case 'ready':
      return <>{children(loaded.value)}</>;
  }
}

export function Loading({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div class="loading" aria-busy="true">
      <p class="loading-words">Loading…</p>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} class="skeleton" aria-hidden="true" />
      ))}
    </div>
  );
}

/** `value` is from 0 to 1, and absent while the total is unknown. */
export function Progress({ label, value }: { readonly label: string; readonly value?: number }) {
  return (
    <label class="progress">
      <span aria-live="polite">{label}</span>
      <progress value={value} />
    </label>
  );
}
