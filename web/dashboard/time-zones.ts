/** US time zones first, under their common names. */
const american = [
  ['America/New_York', 'Eastern time'],
  ['America/Chicago', 'Central time'],
  ['America/Denver', 'Mountain time'],
  ['America/Phoenix', 'Arizona'],
  ['America/Los_Angeles', 'Pacific time'],
  ['America/Anchorage', 'Alaska'],
  ['Pacific/Honolulu', 'Hawaii'],
] as const;

/** Includes the current zone, even if the browser does not know it. */
export function timeZoneOptions(current: string): { readonly value: string; readonly label: string }[] {
  const first = american.map(([value, name]) => ({ value, label: `${name} (${words(value)})` }));
  const known = new Set<string>(american.map(([value]) => value));
  const others = [...new Set([current, ...Intl.supportedValuesOf('timeZone')])]
    .filter((zone) => !known.has(zone))
    .sort();
  return [...first, ...others.map((value) => ({ value, label: words(value) }))];
}

function words(zone: string): string {
  return zone.replaceAll('_', ' ');
}
