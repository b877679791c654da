import type { VNode } from 'preact';

/** One for each line. Together they have exactly the text that was hashed. */
export function paragraphsOf(text: string): VNode[] {
  return (text.match(/.+\n?/g) ?? []).map((paragraph) => <p key={paragraph}>{paragraph}</p>);
}
