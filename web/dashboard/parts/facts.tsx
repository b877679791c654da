import type { ComponentChildren } from 'preact';

type Fact = readonly [label: string, value: ComponentChildren];

/** Labels and values. A fact without a value is left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== undefined)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
