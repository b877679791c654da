/**
 * Breaks JSON into lines without parsing it, so that no digit or escape changes. Returns text that is not JSON as it is.
 */
export function spreadJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const parts = text.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g) ?? [];
  let depth = 0;
  let spread = '';
  parts.forEach((part, index) => {
    const closed = /[\]}]/.test(parts[index + 1] ?? '') && parts[index + 1]?.length === 1;
    switch (part) {
      case '{':
      case '[':
        depth += 1;
        spread += closed ? part : `${part}${line(depth)}`;
        break;
      case '}':
      case ']': {
        depth -= 1;
        const empty = /[[{]/.test(parts[index - 1] ?? '') && parts[index - 1]?.length === 1;
        spread += empty ? part : `${line(depth)}${part}`;
        break;
      }
      case ',':
        spread += `,${line(depth)}`;
        break;
      case ':':
        spread += ': ';
        break;
      default:
        spread += part;
    }
  });
  return spread;
}

function line(depth: number): string {
  return `\n${'  '.repeat(depth)}`;
}
