import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface UnfoldsProps {
  readonly summary: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Draws and loads its content only once it is open. */
export function Unfolds({ summary, children }: UnfoldsProps) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open && children}
    </details>
  );
}

/** What developers and support ask for: IDs, URLs, types of events. */
export function TechnicalDetails({ children }: Pick<UnfoldsProps, 'children'>) {
  return (
    <Unfolds summary="Technical details">
      <div class="technical-details">{children}</div>
    </Unfolds>
  );
}
