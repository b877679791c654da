import type { ComponentChildren } from 'preact';

/** Says what went wrong, aloud too. The box is always there: screen readers announce what changes inside it. */
export function Notice({ children }: { children: ComponentChildren }) {
  return (
    <div role="alert" class="notice">
      {children}
    </div>
  );
}
