const american: Readonly<Record<string, string>> = {
  'America/New_York': 'Eastern Time (New York)',
  'America/Chicago': 'Central Time (Chicago)',
  'America/Denver': 'Mountain Time (Denver)',
  'America/Phoenix': 'Arizona Time (Phoenix)',
  'America/Los_Angeles': 'Pacific Time (Los Angeles)',
  'America/Anchorage': 'Alaska Time (Anchorage)',
  'Pacific/Honolulu': 'Hawaii Time (Honolulu)',
  'America/Puerto_Rico': 'Atlantic Time (Puerto Rico)',
  'Pacific/Guam': 'Chamorro Time (Guam)',
};

/** US time zones come first. Includes the current zone, even if the browser does not know it. */
export function timeZoneOptions(current: string): { readonly value: string; readonly label: string }[] {
  const others = [current, ...Intl.supportedValuesOf('timeZone')].sort();
  const zones = new Set([...Object.keys(american), ...others]);
  return [...zones].map((value) => ({ value, label: timeZoneName(value) }));
}

export function timeZoneName(zone: string): string {
  return american[zone] ?? zone.replaceAll('_', ' ');
}

/** Days are strings like 2026-11-20. */

const dayLength = 86_400_000;

/** The day at this moment in a time zone. */
export function dayOf(time: number, timeZone: string): string {
  // The Swedish locale formats dates as ISO does.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(time);
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * dayLength).toISOString().slice(0, 10);
}

/** The first moment of a day in a time zone, even if clocks change at midnight. */
export function startOfDay(day: string, timeZone: string): number {
  const midnight = Date.parse(day);
  const candidates = [-dayLength, dayLength].map((away) => midnight - offsetAt(midnight + away, timeZone));
  const starts = candidates.filter((time) => dayOf(time, timeZone) === day);
  return Math.min(...starts);
}

function offsetAt(time: number, timeZone: string): number {
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(time);
  return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(time / 1000) * 1000;
}

/** While the user types a year, the browser reports the years 2, 20 and 202. */
const firstDay = '2000-01-01';
/** The day after it still has a year of four digits, in every time zone. */
const lastDay = '9998-12-31';

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < firstDay || text > lastDay) return false;
  return !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;
}

interface DayRange {
  /** An empty text means no limit. */
  readonly from: string;
  readonly to: string;
}

export function monthOf(day: string, which: 'this' | 'last'): DayRange {
  const first = `${day.slice(0, 7)}-01`;
  if (which === 'last') return monthOf(addDays(first, -1), 'this');
  return { from: first, to: addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1) };
}

export function createdBetween({ from, to }: DayRange, timeZone: string) {
  const iso = (time: number) => new Date(time).toISOString();
  return {
    createdSince: isDay(from) ? iso(startOfDay(from, timeZone)) : undefined,
    createdBefore: isDay(to) ? iso(startOfDay(addDays(to, 1), timeZone)) : undefined,
  };
}
