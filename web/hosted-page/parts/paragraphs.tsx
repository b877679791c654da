import type { VNode } from 'preact';

/** One paragraph per line. Together they are exactly the text that was hashed. */
export function paragraphsOf(text: string): VNode[] {
  return (text.match(/.+\n?/g) ?? []).map((paragraph) => <p key={paragraph}>{paragraph}</p>);
}
