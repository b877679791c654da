import type { ComponentChildren, VNode } from 'preact';

export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** One paragraph per line. Together they are exactly the text that was hashed. */
export function paragraphsOf(text: string): VNode[] {
  return (text.match(/.+\n?/g) ?? []).map((paragraph) => <p key={paragraph}>{paragraph}</p>);
}
