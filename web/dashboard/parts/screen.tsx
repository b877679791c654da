import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useEffect, useState } from 'preact/hooks';
import { usePractice } from '../practice.ts';
import { formatTime } from '../format.ts';
import type { Loadable } from '../use-answer.ts';
import { ProblemNotice } from './notice.tsx';

let opened = false;

/** Sets the document's title and moves the focus to the heading, except when the dashboard opens. */
export function useHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);
  // Runs before the paint, so that it does not take the focus from a field that the user has begun to fill in.
  useLayoutEffect(() => {
    if (opened) heading.current?.focus({ preventScroll: true });
    opened = true;
  }, []);
  return heading;
}

interface ScreenProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  /** What the screen is about, in short. Shown above the actions. */
  readonly sum?: ComponentChildren;
  readonly back?: { readonly href: string; readonly label: string };
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Screen({ title, lead, sum, back, actions, children }: ScreenProps) {
  const { name } = usePractice();
  const heading = useHeading(`${title} - ${name}`);
  return (
    <>
      <header class="screen-head">
        <Printed />
        {back && (
          <a class="back" href={back.href}>
            {back.label}
          </a>
        )}
        <div class="screen-title">
          <div>
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {sum}
          </div>
          {actions && <div class="actions">{actions}</div>}
        </div>
        {lead && <p class="lead">{lead}</p>}
      </header>
      {children}
    </>
  );
}

interface PanelProps {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Panel({ title, note, actions, children }: PanelProps) {
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {note && <p class="quiet">{note}</p>}
      {children}
    </section>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** Shown only on paper: whose data it is, and as of when. */
function Printed() {
  const { name, timeZone } = usePractice();
  const [at, setAt] = useState(() => new Date());
  useEffect(() => {
    const printing = () => setAt(new Date());
    addEventListener('beforeprint', printing);
    return () => removeEventListener('beforeprint', printing);
  }, []);
  return (
    <p class="on-paper printed">
      {name}. Printed {formatTime(at.toISOString(), timeZone, { zone: true })}.
    </p>
  );
}

declare const operatorName: string;
declare const operatorEmail: string;

/** Where staff get help. A sandbox may not say who runs it. */
export function Help() {
  return (
    <footer class="help">
      <p>
        Help: <a href="/docs/front-desk">Guide for the front desk</a>
      </p>
      {operatorEmail !== '' && (
        <p>
          {operatorName !== '' && `${operatorName}, `}
          <a href={`mailto:${operatorEmail}`}>{operatorEmail}</a>
        </p>
      )}
    </footer>
  );
}

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
      <p class="quiet">Loading…</p>
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
