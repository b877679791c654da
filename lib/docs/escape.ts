const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
}
