export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The keywords that some of our fields are named after. */
export function isKeyword(name: string): boolean {
  return ['as', 'return'].includes(name);
}

export function text(value: string | number, quote = '"'): string {
  return typeof value === 'number' ? String(value) : `${quote}${value}${quote}`;
}

export function lines(...each: readonly string[]): string {
  return each.join('\n');
}

export function indented(block: string): string {
  return block.replace(/^(?=.)/gm, '    ');
}

/** Breaks prose after at most `width` characters. */
export function wrapped(prose: string, width: number): string[] {
  return prose
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${width}}(?= |$)`, 'g')) ?? [''])
    .map((line) => line.trim());
}
