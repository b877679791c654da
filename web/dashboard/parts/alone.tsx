import type { ComponentChildren } from 'preact';
import { Loading } from './loaded.tsx';
import { useHeading } from './screen.tsx';

interface AloneProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A screen outside any practice. */
export function Alone({ title, children }: AloneProps) {
  const heading = useHeading([...new Set([title, 'Practice dashboard'])].join(' - '));
  return (
    <main class="alone">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  );
}

/** Shown while the dashboard opens. Unlike a screen, it does not take the focus. */
export function Opening() {
  return (
    <main class="alone">
      <h1>Practice dashboard</h1>
      <Loading />
    </main>
  );
}
