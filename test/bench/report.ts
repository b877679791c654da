import { cpus } from 'node:os';

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(Math.ceil(share * sorted.length), sorted.length) - 1] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Each table has its own line above it, because tables are measured on different days. */
export function dated(table: string, at: Date): string {
  const date = at.toISOString().slice(0, 10);
  return `Measured on ${date}: ${cpus().length} cores, Node ${process.versions.node}.\n\n${table}`;
}

/** Leaves tables that were not measured now as they are. */
export function replaceTables(report: string, measured: readonly string[]): string {
  const old = report.trim().split(/\n\n(?=Measured on )/);
  const replaced = old.map((part) => measured.find((table) => nameOf(table) === nameOf(part)) ?? part);
  const added = measured.filter((table) => !replaced.includes(table));
  return [...replaced, ...added].join('\n\n');
}

/** The first words of a table's first line, up to a colon, identify it. */
function nameOf(part: string): string | undefined {
  return /^\| (.+?)(:| \|)/m.exec(part)?.[1];
}
