import type { ComponentChildren } from 'preact';

type Fact = readonly [label: string, value: ComponentChildren];

/** A list of labels and values. Leaves out facts without a value. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== undefined && value !== false)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
