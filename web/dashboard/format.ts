export function formatDollars(cents: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100);
}

/** Leaves out the cents, for axes and totals. */
export function formatWholeDollars(cents: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 }).format(
    cents / 100,
  );
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Cached: creating a formatter takes longer than formatting a whole table. */
function formatterOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat('en-US', options);
  formatters.set(key, formatter);
  return formatter;
}

const toTheMinute = { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;

export function formatTime(time: string, timeZone: string, { zone = false } = {}): string {
  const options = { ...toTheMinute, timeZone, ...(zone && { timeZoneName: 'short' as const }) };
  return formatterOf(options).format(new Date(time));
}

/** Includes seconds, for when the order of events matters. */
export function formatExactTime(time: string, timeZone: string): string {
  return formatterOf({ ...toTheMinute, second: '2-digit', timeZone, timeZoneName: 'short' }).format(new Date(time));
}

/** `day`: like 2026-11-20. */
export function formatDay(day: string, { weekday = false } = {}): string {
  return formatterOf({
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
    ...(weekday ? { weekday: 'short' } : { year: 'numeric' }),
  }).format(new Date(day));
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** Like "3 hours ago" or "in 2 days". */
export function formatDistance(time: string, now: number): string {
  const distance = Date.parse(time) - now;
  // Uses days only from two on: 36 hours from now may be the day after tomorrow.
  const [unit, size] = units.find(([, length]) => Math.abs(distance) >= 2 * length) ?? ['second', 1000];
  return new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' }).format(Math.round(distance / size), unit);
}

export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** Parses an amount as people type it, such as 1,182.5 or $20, to cents. Undefined if it is not an amount. */
export function centsOf(text: string): number | undefined {
  const match = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d+)?(?:\.(\d{0,2}))?$/.exec(text.trim());
  if (!match || !/\d/.test(text)) return undefined;
  const [, dollars = '0', cents = ''] = match;
  return Number(dollars.replaceAll(',', '')) * 100 + Number(cents.padEnd(2, '0'));
}

/** What is wrong with an amount as typed, if it must be within these cents. */
export function amountError(amount: string, least: number, most: number): string | undefined {
  if (amount.trim() === '') return 'Enter the amount';
  const cents = centsOf(amount);
  if (cents === undefined) return 'Enter an amount like 182.50';
  return cents < least || cents > most
    ? `Enter an amount from ${formatDollars(least)} to ${formatDollars(most)}`
    : undefined;
}

/**
 * Breaks JSON into lines without parsing it, so that no digit or escape changes. Returns text that is not JSON as it is.
 */
export function spreadJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const parts = text.match(/"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[[\]{},:]|[^\s"[\]{},:]+/g) ?? [];
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  const spread = parts.map((part) => {
    switch (part) {
      case '{':
      case '[':
        depth += 1;
        return part + line();
      case '}':
      case ']':
        depth -= 1;
        return line() + part;
      case ',':
        return part + line();
      case ':':
        return ': ';
      default:
        // Empty, so on one line.
        return /^[[{]/.test(part) ? part.replaceAll(/\s/g, '') : part;
    }
  });
  return spread.join('');
}

/** The values that have words, in the order of the words. */
export function keysOf<Key extends string>(words: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(words).filter((name): name is Key => Object.hasOwn(words, name));
}
