/** Parses an amount as people type it, such as 1,182.5 or $20, to cents. Undefined if it is not an amount. */
export function centsOf(text: string): number | undefined {
  const match = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d+)?(?:\.(\d{0,2}))?$/.exec(text.trim());
  if (!match || !/\d/.test(text)) return undefined;
  const [, dollars = '0', cents = ''] = match;
  return Number(dollars.replaceAll(',', '')) * 100 + Number(cents.padEnd(2, '0'));
}
