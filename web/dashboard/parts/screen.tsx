import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePractice } from '../practice.ts';
import { Printed } from './printed.tsx';

let opened = false;

/** Sets the document's title and moves the focus to the heading, except when the dashboard opens. */
export function useHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);
  // Before the paint, so that it takes the focus from nothing the user has begun to fill in.
  useLayoutEffect(() => {
    if (opened) heading.current?.focus({ preventScroll: true });
    opened = true;
  }, []);
  return heading;
}

interface ScreenProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  /** The link back to the list that this screen belongs to. */
  readonly back?: { readonly href: string; readonly label: string };
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Screen({ title, lead, back, actions, children }: ScreenProps) {
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
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
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

/** A titled part of a screen. */
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
  /** What to do next. */
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
