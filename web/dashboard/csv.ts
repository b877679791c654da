const byteOrderMark = '\uFEFF';

/** RFC 4180, with the byte order mark by which Excel recognizes UTF-8. */
export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  return byteOrderMark + rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** Escapes text that a spreadsheet would take for a formula. */
function cell(text: string | number): string {
  if (typeof text === 'number') return String(text);
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
