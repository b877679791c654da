import type { SentNames } from '../contract/repeated-keys.ts';

interface Open {
  readonly names: string[];
  readonly inside: Map<string, SentNames>;
  /** The name or the position of the value that is being read. */
  at: string | number;
}

const token = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\],]/g;

/** Takes valid JSON. */
export function namesIn(json: string): SentNames {
  const top: Open = { names: [], inside: new Map(), at: '' };
  const open = [top];
  for (const [sign, text, colon] of json.matchAll(token)) {
    const reading = open.at(-1) ?? top;
    if (text !== undefined && colon !== undefined) {
      reading.at = nameOf(text);
      reading.names.push(reading.at);
    } else if (sign === '{' || sign === '[') {
      const inner = { names: [], inside: new Map(), at: sign === '[' ? 0 : '' };
      reading.inside.set(String(reading.at), inner);
      open.push(inner);
    } else if (sign === '}' || sign === ']') open.pop();
    else if (sign === ',' && typeof reading.at === 'number') reading.at += 1;
  }
  return top.inside.get('') ?? top;
}

/** With its escapes read. Renamed as the parsed body's is. */
function nameOf(text: string): string {
  const name = String(JSON.parse(text));
  return name === '__proto__' ? unsafeName : name;
}

/** In place of `__proto__`, which zod's records skip. Schemas reject it. */
export const unsafeName = '\0';
